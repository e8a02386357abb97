import { useEffect, useMemo, useState } from "preact/hooks";
import { OVERVIEW, SECTIONS } from "../charts";
import { type Data } from "../data";
import { canBePriced, fromHash, toHash, type View } from "../view";
import { origin, title } from "../words/title";
import { Answer } from "./answer";
import { Controls } from "./controls";
import { Drawings } from "./drawings";
import { Machines } from "./machines";
import { Method } from "./method";
import { Prices } from "./prices";
import { Quality } from "./quality";
import { Ranking } from "./ranking";
import { Rows } from "./rows";
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

export function App({ data }: { data: Data }): preact.JSX.Element {
  const [view, change] = useView(data);
  const theme = useTheme();
  const sections = useMemo(
    () =>
      SECTIONS.map((section) => ({ ...section, charts: section.make(data, view) })).filter(
        // Prices can be given where none is known yet.
        (section) => section.charts.length > 0 || (section.id === "prices" && canBePriced(data)),
      ),
    [data, view],
  );
  const overview = sections.find(({ id }) => id === OVERVIEW)?.charts ?? [];
  const below = sections.filter(({ id }) => id !== OVERVIEW);
  const others = [
    ["rows", "All figures"],
    ["machines", "Machines"],
    ["quality", "Data quality"],
    ["method", "Method"],
  ];
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
      <header>
        <p class="brand">sizeup report</p>
        <p class="made">
          {title(data)}; {origin(data)}
        </p>
      </header>
      <details class="drawer">
        <summary>Filters and baseline</summary>
        <Controls data={data} view={view} change={change} />
      </details>
      <main>
        <Answer data={data} view={view} charts={overview} theme={theme} jump={jump} />
        <Ranking data={data} view={view} change={change} />
        <nav aria-label="Contents">
          <ul>
            {[...below.map(({ id, title }) => [id, title]), ...others].map(([id, title]) => (
              <li key={id}>
                <button type="button" class="link" onClick={() => jump(id ?? "")}>
                  {title}
                </button>
              </li>
            ))}
          </ul>
        </nav>
        {below.map((section) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <h2 id={`${section.id}-title`} tabIndex={-1}>
              {section.title}
            </h2>
            {section.id === "prices" ? <Prices data={data} view={view} change={change} /> : null}
            <Drawings charts={section.charts} theme={theme} id={section.id} />
          </section>
        ))}
        <Rows data={data} view={view} />
        <Machines data={data} view={view} />
        <Quality data={data} view={view} />
        <Method />
      </main>
    </>
  );
}

/** Goes to a heading without touching the address, which holds the view. */
function jump(id: string): void {
  const heading = document.getElementById(`${id}-title`);
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}
