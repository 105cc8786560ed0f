/** Line icons on a 24 × 24 grid. Decoration only: a text beside each icon says the same. */
const paths = {
  logo: "M4 12h5l3-7v14l3-7h5",
  overview: "M4 19V9m6 10V5m6 14v-7m4 7H2",
  chart: "M4 4v16h16M8 15l4-5 3 3 5-7",
  requests: "M4 6h16M4 12h16M4 18h10",
  key: "M14.5 9.5a4.5 4.5 0 1 1-3.2-4.3 4.5 4.5 0 0 1 3.2 4.3Zm-.3 1.2L21 17.5V21h-3.5v-2.5H15V16l-2.3-2.3",
  plug: "M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0Zm6 9v4",
  models: "M12 3 3.5 7.5 12 12l8.5-4.5ZM3.5 12 12 16.5l8.5-4.5M3.5 16.5 12 21l8.5-4.5",
  play: "M7 4.5v15l12-7.5Z",
  connect:
    "M10 14a4 4 0 0 0 5.7 0l3.5-3.5a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.5 3.5a4 4 0 0 0 5.7 5.7l1.5-1.5",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3.3 2.7-6 6-6s6 2.7 6 6m1-9a3.5 3.5 0 0 0 0-7m2 10c2 .8 3 3 3 6",
  workspaces: "M4 4h7v7H4Zm9 0h7v7h-7ZM4 13h7v7H4Zm9 0h7v7h-7Z",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm5 11.5L20 20",
  settings: "M4 7h10m4 0h2M4 17h2m4 0h10M16 4.8v4.4M8 14.8v4.4",
  bell: "M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15ZM10 20.5h4",
  send: "M21 4 3 11l7 3 3 7Zm-11 10 4-4",
  info: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm0 7.5v5m0-8.5h.01",
  warn: "M12 4 2.5 20h19Zm0 6v4.5m0 3h.01",
  leave: "M14 4H6v16h8m-3-8h10m-3.5-3.5L21 12l-3.5 3.5",
  auto: "M12 3.5a8.5 8.5 0 1 0 0 17Zm0 0a8.5 8.5 0 0 1 0 17",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-5v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  plus: "M12 5v14M5 12h14",
  up: "m6 14 6-6 6 6",
  down: "m6 10 6 6 6-6",
  cross: "m6 6 12 12M18 6 6 18",
  check: "m5 12.5 4.5 4.5L19 7.5",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** An icon in the colour of the text. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
