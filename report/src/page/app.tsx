import { type JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { SECTIONS } from "../charts";
import { type Chart, type Theme } from "../charts/chart";
import { narrowTo, type Data } from "../data";
import { canBePriced, fromHash, hasPrices, toHash, type View } from "../view";
import { caveats } from "../words/caveats";
import { count } from "../words/numbers";
import { title } from "../words/title";
import { Answer } from "./answer";
import { Caveats } from "./caveats";
import { Controls } from "./controls";
import { Drawing } from "./drawing";
import { Drawings } from "./drawings";
import { Fold } from "./fold";
import { Machines } from "./machines";
import { Method } from "./method";
import { Prices } from "./prices";
import { Quality } from "./quality";
import { Rows } from "./rows";
import { Scores } from "./scores";
import { useTheme } from "./theme";

/** Follows the address, and writes what the reader chooses into it. */
function useView(data: Data): [View, (change: Partial<View>) => void] {
  const [view, setView] = useState(() => fromHash(data, location.hash));
  useEffect(() => {
    const follow = (): void => setView(fromHash(data, location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [data]);
  const change = (change: Partial<View>): void => {
    const next = { ...view, ...change };
    setView(next);
    const hash = toHash(data, next);
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  };
  return [view, change];
}

/** On paper, pages about so many machines have room for how the figures were made. */
const FEW = 2;

/** Sections that few readers look for. */
const FOLDED = ["families", "telemetry", "samples"];

export function App({ data: whole }: { data: Data }): JSX.Element {
  const [view, change] = useView(whole);
  const data = useMemo(() => narrowTo(whole, view.category), [whole, view.category]);
  const theme = useTheme();
  const [wantsPrices, setWantsPrices] = useState(false);
  const isPriced = hasPrices(data, view) || (wantsPrices && canBePriced(data));
  const all = useMemo(
    () => SECTIONS.map((section) => ({ ...section, charts: section.make(data, view) })),
    [data, view],
  );
  const known = useMemo(() => caveats(data, view), [data, view]);
  const answered = all.find(({ id }) => id === "answer")?.charts ?? [];
  const sections = all.filter(
    ({ id, charts }) => id !== "answer" && (charts.length > 0 || (id === "prices" && isPriced)),
  );
  const addPrices =
    canBePriced(data) && !isPriced
      ? () => {
          setWantsPrices(true);
          requestAnimationFrame(() => jump("prices"));
        }
      : null;
  return (
    <>
      <a
        class="skip"
        href="#answer"
        onClick={(event) => {
          // The address holds the view.
          event.preventDefault();
          jump("answer");
        }}
      >
        Skip to the answer
      </a>
      <header class="bar">
        <p class="brand">sizeup</p>
        <p class="of">{title(data)}</p>
        <Controls data={whole} view={view} change={change} addPrices={addPrices} />
      </header>
      <main class={data.groups.length <= FEW ? "of-few" : ""}>
        <Answer
          data={data}
          view={view}
          theme={theme}
          charts={answered}
          caveats={known}
          change={change}
          jump={jump}
        />
        <Contents sections={sections} hasCaveats={known.length > 0} />
        <Caveats data={data} caveats={known} />
        {sections.map((section) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <h2 id={`${section.id}-title`} tabIndex={-1}>
              {section.title}
            </h2>
            {section.id === "prices" ? <Prices data={data} view={view} change={change} /> : null}
            <Pictures data={data} view={view} id={section.id} charts={section.charts} theme={theme} />
          </section>
        ))}
        <Rows data={data} whole={whole} view={view} />
        <Machines data={data} view={view} />
        <Quality data={data} view={view} />
        <Method data={data} />
      </main>
    </>
  );
}

interface PicturesProps {
  data: Data;
  view: View;
  id: string;
  charts: Chart[];
  theme: Theme;
}

/** The pictures of a section; long ones on demand. */
function Pictures({ data, view, id, charts, theme }: PicturesProps): JSX.Element | null {
  const drawings = (shown: Chart[]): JSX.Element => <Drawings charts={shown} theme={theme} id={id} />;
  if (FOLDED.includes(id))
    return <Fold summary={`Show ${count(charts.length, "picture")}`}>{() => drawings(charts)}</Fold>;
  if (id === "scores") {
    const table = <Scores data={data} view={view} theme={theme} />;
    return (
      <>
        {charts.map((chart) => (
          <Drawing key={chart.name} chart={chart} theme={theme} table={table} />
        ))}
      </>
    );
  }
  return (
    <>
      {drawings(charts.filter(({ fold }) => fold === undefined))}
      {charts.map((chart) =>
        chart.fold === undefined ? null : (
          <Fold key={chart.name} summary={chart.fold}>
            {() => drawings([chart])}
          </Fold>
        ),
      )}
    </>
  );
}

function Contents({
  sections,
  hasCaveats,
}: {
  sections: { id: string; title: string }[];
  hasCaveats: boolean;
}): JSX.Element {
  const entries = [
    ...(hasCaveats ? [{ id: "caveats", title: "Caveats" }] : []),
    ...sections,
    { id: "rows", title: "All figures" },
    { id: "machines", title: "Machines" },
    { id: "quality", title: "Data quality" },
    { id: "method", title: "Method" },
  ];
  return (
    <nav aria-label="Contents">
      <ul>
        {entries.map(({ id, title }) => (
          <li key={id}>
            <button type="button" class="link" onClick={() => jump(id)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Goes to a heading without touching the address, which holds the view. */
function jump(id: string): void {
  const heading = document.getElementById(`${id}-title`);
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}
