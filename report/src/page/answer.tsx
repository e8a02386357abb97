import { useMemo } from "preact/hooks";
import { type Chart, type Theme } from "../charts/chart";
import { type Data } from "../data";
import { type View } from "../view";
import { answer } from "../words/answer";
import { caveatInWords, caveats, marksOf } from "../words/caveats";
import { nameOf } from "../words/names";
import { badge } from "../words/quality";
import { Drawing } from "./drawing";

interface Props {
  data: Data;
  view: View;
  charts: Chart[];
  theme: Theme;
  jump: (id: string) => void;
}

/** The first screen: who is ahead and by how much, how good the data are, and a picture of it. */
export function Answer({ data, view, charts, theme, jump }: Props): preact.JSX.Element {
  const { headline, tiles, facts } = useMemo(() => answer(data, view), [data, view]);
  const all = useMemo(() => caveats(data, view), [data, view]);
  const quality = useMemo(() => badge(data, view), [data, view]);
  const marks = (group: number | null): string => (group === null ? "" : marksOf(data, all, group));
  const alarms = all.filter(({ isAlarm }) => isAlarm);
  return (
    <section id="answer" aria-labelledby="answer-title">
      <div aria-live="polite">
        <h1 id="answer-title" tabIndex={-1}>
          {headline}
        </h1>
        {alarms.map((caveat, place) => (
          <p key={place} class="alarm">
            {caveatInWords(data, caveat)}
          </p>
        ))}
        <div class="tiles">
          {tiles.map(({ about, group, value, detail }, place) => (
            <div key={place} class="tile">
              <p class="about">{about}</p>
              <p class="value">{value}</p>
              <p class="detail">
                {group === null ? "" : `${nameOf(data, group, 30)}; `}
                {detail}
                {marks(group) ? <sup>{marks(group)}</sup> : null}
              </p>
            </div>
          ))}
          <button type="button" class={`tile badge ${quality.kind}`} onClick={() => jump("quality")}>
            <span class="about">data</span>
            <span class="value">{quality.text}</span>
            <span class="detail">see Data quality</span>
          </button>
        </div>
      </div>
      {charts.map((chart) => (
        <Drawing key={chart.name} chart={chart} theme={theme} />
      ))}
      {facts.length > 0 ? (
        <ul class="facts">
          {facts.map((fact, place) => (
            <li key={place}>{fact}</li>
          ))}
        </ul>
      ) : null}
      {all.length > alarms.length ? (
        <>
          <h2 id="caveats-title" tabIndex={-1}>
            Caveats
          </h2>
          <ol class="caveats">
            {all.map((caveat, place) => (
              <li key={place}>{caveatInWords(data, caveat)}</li>
            ))}
          </ol>
        </>
      ) : null}
    </section>
  );
}
