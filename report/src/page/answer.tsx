import { type JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { card, CARD } from "../charts/card";
import { type Chart, type Theme } from "../charts/chart";
import { colourOf } from "../charts/plot";
import { type Data } from "../data";
import { defaultView, filters, type View } from "../view";
import { answer, pairOf, type Tile } from "../words/answer";
import { caveatInWords, marksOf, type Caveat } from "../words/caveats";
import { crossings } from "../words/crossover";
import { nameOf } from "../words/names";
import { count } from "../words/numbers";
import { filtered } from "../words/coverage";
import { badge } from "../words/quality";
import { origin } from "../words/title";
import { savePng } from "./copy";
import { Drawing } from "./drawing";
import { Headline } from "./headline";
import { printAll } from "./fold";
import { Ranking } from "./ranking";
import { Spark } from "./spark";

/** So many reasons not to use the figures stand beside the answer; all are among the caveats. */
const MOST_ALARMS = 2;

interface Props {
  data: Data;
  view: View;
  theme: Theme;
  charts: Chart[];
  caveats: Caveat[];
  change: (change: Partial<View>) => void;
  jump: (id: string) => void;
}

/** The first screen: who is ahead, by how much, and one picture of it. */
export function Answer({ data, view, theme, charts, caveats, change, jump }: Props): JSX.Element {
  const { headline, tiles, facts, ranked } = useMemo(() => answer(data, view), [data, view]);
  const { kind, text } = badge(data, view);
  const [saved, setSaved] = useState("");
  const alarms = caveats.filter(({ isAlarm }) => isAlarm).slice(0, MOST_ALARMS);
  const isPairOfMany = data.groups.length > 2 && pairOf(view) !== null;
  return (
    <section id="answer" aria-labelledby="answer-title">
      <div aria-live="polite">
        <h1 id="answer-title" tabIndex={-1}>
          <Headline text={headline} />
        </h1>
        <ul class="tiles">
          {tiles.map((tile) => (
            <Figure key={tile.about} data={data} view={view} theme={theme} tile={tile} caveats={caveats} />
          ))}
          <Crossover data={data} view={view} theme={theme} />
        </ul>
      </div>
      <p class={`on-paper ${kind}`}>{text}</p>
      {alarms.length > 0 ? (
        <ul class="facts">
          {alarms.map((caveat) => (
            <li key={caveat.text} class="unfit">
              {caveatInWords(data, caveat)}
            </li>
          ))}
        </ul>
      ) : null}
      {filters(view).length > 0 ? <p class="made">{filtered(data, view)}</p> : null}
      <p class="tools">
        <button type="button" class={`badge ${kind}`} onClick={() => jump("quality")}>
          {text}
        </button>
        {caveats.length > 0 ? (
          <button type="button" class="link" onClick={() => jump("caveats")}>
            {count(caveats.length, "caveat")}
          </button>
        ) : null}
        {isPairOfMany ? (
          <button
            type="button"
            class="link"
            onClick={() => {
              const { baseline, shown } = defaultView(data);
              change({ baseline, shown });
            }}
          >
            All {data.groups.length} machines
          </button>
        ) : null}
        <button
          type="button"
          class="link"
          onClick={() => void savePng(card(data, view, document), CARD.name, 1).then(setSaved)}
        >
          Save share card
        </button>
        <button type="button" class="link" onClick={printAll}>
          Print all sections
        </button>
        <span role="status">{saved}</span>
      </p>
      {ranked ? <Ranking data={data} view={view} theme={theme} caveats={caveats} by={ranked} /> : null}
      {charts
        .filter(({ name }) => name !== "ranking")
        .map((chart) => (
          <Drawing key={chart.name} chart={chart} theme={theme} level="h2" />
        ))}
      {facts.length > 0 ? (
        <ul class="facts">
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      ) : null}
      <p class="made">{origin(data)}</p>
    </section>
  );
}

interface FigureProps {
  data: Data;
  view: View;
  theme: Theme;
  tile: Tile;
  caveats: Caveat[];
}

/** A tile, with an edge in the colour of the machine that it is about. */
function Figure({ data, view, theme, tile, caveats }: FigureProps): JSX.Element {
  const { about, group, value, detail } = tile;
  const name = group === null ? "" : nameOf(data, group, 40);
  const borderColor = group === null ? undefined : colourOf(view, theme, group);
  return (
    <li class="tile" style={{ borderColor }}>
      <span class="about">{about}</span>
      {group === null ? (
        <strong style={{ "--letters": value.length }}>{value}</strong>
      ) : (
        <>
          <strong style={{ "--letters": name.length + 1 }}>
            {name}
            <sup>{marksOf(caveats, group)}</sup>
          </strong>
          <span class="value">{value}</span>
        </>
      )}
      <span class="muted">{detail}</span>
    </li>
  );
}

/** Where one overtakes the other, if it does on any workload. */
function Crossover({ data, view, theme }: { data: Data; view: View; theme: Theme }): JSX.Element | null {
  const pair = pairOf(view);
  const [crossing] = pair ? crossings(data, ...pair) : [];
  if (!crossing) return null;
  return (
    <li class="tile crossover">
      <span class="workload">{crossing.workload}</span>
      <Spark crossing={crossing} theme={theme} />
      <span class="muted">{crossing.text}</span>
    </li>
  );
}
