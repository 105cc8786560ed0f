/** Every model that requests can name, with its price and capabilities. */
import { listModels, type ModelView } from "../../../admin/routes/document/models.ts";
import { Checkbox, TextField, Select } from "../../components/fields.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { Badge, Card, EmptyState, ModelName, Table } from "../../components/display.tsx";
import {
  loadDirectory,
  type PageApp,
  type PageServices,
  type Viewer,
} from "../../shared/page-context.ts";
import { count, dollars } from "../../shared/readable-values.ts";

const pageLength = 100;

interface Filter {
  q: string;
  provider: string;
  tools: boolean;
  images: boolean;
  page: number;
}

/** Registers the page. */
export function modelRoutes(app: PageApp, services: PageServices): void {
  app.get("/models", async (c) => {
    const { directory } = await loadDirectory(c, services);
    const filter: Filter = {
      q: (c.req.query("q") ?? "").trim(),
      provider: c.req.query("provider") ?? "",
      tools: c.req.query("tools") !== undefined,
      images: c.req.query("images") !== undefined,
      page: pageNumber(c.req.query("page")),
    };
    const providers = [...directory.connections.keys()];
    const models = listModels(directory).filter((model) => fits(model, filter));
    return c.html(<ModelsPage viewer={c.var.viewer} {...{ models, providers, filter }} />);
  });
}

/** 1 for anything that is no page number. */
function pageNumber(text: string | undefined): number {
  const page = Math.floor(Number(text ?? 1));
  return page >= 1 ? page : 1;
}

function fits(model: ModelView, filter: Filter): boolean {
  const text = `${model.id} ${model.name ?? ""}`.toLowerCase();
  return (
    filter.q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word)) &&
    (filter.provider === "" || model.provider === filter.provider) &&
    (!filter.tools || model.features.includes("tools")) &&
    (!filter.images || model.input_modalities.includes("image"))
  );
}

interface ModelsProps {
  viewer: Viewer;
  models: readonly ModelView[];
  providers: readonly string[];
  filter: Filter;
}

function ModelsPage({ viewer, models, providers, filter }: ModelsProps) {
  const shown = models.slice((filter.page - 1) * pageLength, filter.page * pageLength);
  const choices = [
    { value: "", label: "All providers" },
    ...providers.map((id) => ({ value: id, label: id })),
  ];
  return (
    <Page
      viewer={viewer}
      title="Models"
      lead={
        <>
          {count(models.length)} models, plus <code>auto</code>. Prices in USD per million tokens.
        </>
      }
    >
      <form class="filters" method="get" action="/dashboard/models">
        <TextField name="q" label="Search" type="search" value={filter.q} placeholder="gpt mini" />
        <Select name="provider" label="Provider" value={filter.provider} options={choices} />
        <Checkbox name="tools" label="Tools" checked={filter.tools} />
        <Checkbox name="images" label="Images" checked={filter.images} />
        <button type="submit">Filter</button>
      </form>
      <Card>
        {shown.length === 0 ? (
          <EmptyState title="No matching models.">
            <p>
              <a href="/dashboard/models">Show all</a>
            </p>
          </EmptyState>
        ) : (
          <Table
            caption="Models"
            head={[
              "Model",
              { label: "Context", class: "num mid" },
              { label: "Max output", class: "num far" },
              { label: "Input", class: "num" },
              { label: "Output", class: "num" },
              { label: "Cached input", class: "num far" },
              { label: "Capabilities", class: "mid" },
            ]}
          >
            {shown.map((model) => (
              <ModelRow model={model} />
            ))}
          </Table>
        )}
        <Pages total={models.length} filter={filter} />
      </Card>
    </Page>
  );
}

function ModelRow({ model }: { model: ModelView }) {
  const { cost } = model;
  return (
    <tr>
      <td>
        <ModelName id={model.id} />
        {model.name === null || model.name === model.id ? null : (
          <span class="sub">{model.name}</span>
        )}
      </td>
      <td class="num mid">{model.context_window === null ? "–" : count(model.context_window)}</td>
      <td class="num far">{model.max_output === null ? "–" : count(model.max_output)}</td>
      <td class="num">{model.subscription ? "included" : price(cost.input)}</td>
      <td class="num">{model.subscription ? "included" : price(cost.output)}</td>
      <td class="num far">{model.subscription ? "included" : dollars(cost.cache_read)}</td>
      <td class="mid">
        <span class="badges">
          {model.features
            .filter((feature) => feature !== "stream")
            .map((feature) => (
              <Badge tone="plain">{feature.replaceAll("_", " ")}</Badge>
            ))}
          {model.input_modalities
            .filter((kind) => kind !== "text")
            .map((kind) => (
              <Badge tone="plain">{kind}</Badge>
            ))}
        </span>
      </td>
    </tr>
  );
}

/** Of a model whose price nobody knows, requests count as $0 and their rows say so. */
function price(value: number | null): string {
  return value === null ? "no price" : dollars(value);
}

function Pages({ total, filter }: { total: number; filter: Filter }) {
  if (total <= pageLength) return null;
  const address = (page: number) => {
    const query = new URLSearchParams({ page: String(page) });
    if (filter.q !== "") query.set("q", filter.q);
    if (filter.provider !== "") query.set("provider", filter.provider);
    if (filter.tools) query.set("tools", "on");
    if (filter.images) query.set("images", "on");
    return `/dashboard/models?${query.toString()}`;
  };
  return (
    <nav class="pages" aria-label="Pagination">
      {filter.page > 1 ? (
        <a href={address(filter.page - 1)} rel="prev">
          Previous
        </a>
      ) : (
        <span></span>
      )}
      <span class="muted">{`Page ${filter.page} of ${Math.ceil(total / pageLength)}`}</span>
      {filter.page * pageLength < total ? (
        <a href={address(filter.page + 1)} rel="next">
          Next
        </a>
      ) : (
        <span></span>
      )}
    </nav>
  );
}
