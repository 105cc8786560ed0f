/** The groups of a time range with what each came to. */
import type { UsageReport, UsageTotal } from "../../../admin/routes/usage/usage.ts";
import { Table, type TableColumn } from "../../components/display.tsx";
import { count, dollars, milliseconds } from "../../shared/readable-values.ts";

/** Rows of the table; a file has all. */
const mostRows = 50;

/** What the table can be sorted by, the largest first; names from A. */
export const sortNames = ["name", "requests", "errors", "blocked", "p50", "p95", "cost"] as const;
/** One of them. */
export type SortName = (typeof sortNames)[number];

const columns: readonly { name: SortName; label: string; class: string }[] = [
  { name: "requests", label: "Requests", class: "num" },
  { name: "errors", label: "Failed", class: "num mid" },
  { name: "blocked", label: "Blocked", class: "num mid" },
  { name: "p50", label: "TTFT p50", class: "num far" },
  { name: "p95", label: "TTFT p95", class: "num far" },
  { name: "cost", label: "Cost", class: "num" },
];

interface GroupTableProps {
  report: UsageReport;
  /** Of the first column. */
  label: string;
  nameOf: (group: string) => string;
  /** The address of a group's requests, where there is one. */
  requestsOf: (group: string) => string | undefined;
  sort: SortName;
  /** The address of the page sorted so. */
  sortedBy: (sort: SortName) => string;
}

/** Every group, and all together in the last row. */
export function GroupTable(props: GroupTableProps) {
  const { report, label, nameOf, sort, sortedBy } = props;
  const rows = sorted(report.groups, sort, nameOf);
  const link = (name: SortName, text: string) => (
    <a id={`sort-${name}`} href={sortedBy(name)}>
      {text}
    </a>
  );
  const orderOf = (name: SortName): TableColumn["sort"] =>
    name !== sort ? undefined : name === "name" ? "ascending" : "descending";
  const head: TableColumn[] = [
    { label: link("name", label), class: "", sort: orderOf("name") },
    ...columns.map((column) => ({
      label: link(column.name, column.label),
      class: column.class,
      sort: orderOf(column.name),
    })),
  ];
  return (
    <>
      <Table caption={`Usage by ${label.toLowerCase()}`} head={head}>
        {rows.slice(0, mostRows).map((row) => (
          <tr>
            <td class="anywhere roomy">
              <GroupName {...props} group={row.group} />
            </td>
            <Numbers row={row} />
          </tr>
        ))}
        <tr class="total">
          <th scope="row">All requests</th>
          <Numbers row={report.total} />
        </tr>
      </Table>
      {rows.length <= mostRows ? null : (
        <p class="hint">{`${count(rows.length - mostRows)} more; exports contain all of them.`}</p>
      )}
    </>
  );
}

/** With a link to its requests. */
function GroupName({ group, nameOf, requestsOf }: GroupTableProps & { group: string }) {
  const href = requestsOf(group);
  return href === undefined ? <>{nameOf(group)}</> : <a href={href}>{nameOf(group)}</a>;
}

function Numbers({ row }: { row: UsageReport["total"] }) {
  return (
    <>
      <td class="num">{count(row.requests)}</td>
      <td class="num mid">{count(row.errors)}</td>
      <td class="num mid">{count(row.blocked)}</td>
      <td class="num far">{milliseconds(row.first_byte_ms?.p50)}</td>
      <td class="num far">{milliseconds(row.first_byte_ms?.p95)}</td>
      <td class="num">{dollars(row.cost)}</td>
    </>
  );
}

function sorted(
  rows: readonly UsageTotal[],
  sort: SortName,
  nameOf: (group: string) => string,
): UsageTotal[] {
  if (sort === "name")
    return rows.toSorted((a, b) => nameOf(a.group).localeCompare(nameOf(b.group)));
  return rows.toSorted((a, b) => valueOf(b, sort) - valueOf(a, sort));
}

function valueOf(row: UsageTotal, sort: Exclude<SortName, "name">): number {
  return sort === "p50" || sort === "p95" ? (row.first_byte_ms?.[sort] ?? -1) : row[sort];
}
