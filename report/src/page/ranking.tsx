import { type Data } from "../data";
import { ofWork, ranking } from "../judge/measure";
import { type View } from "../view";
import { architectureOf, nameOf } from "../words/names";
import { times } from "../words/speed";

interface Props {
  data: Data;
  view: View;
  change: (change: Partial<View>) => void;
}

/** Of many machines a line each; a click holds it against the one above it, or the first against the next. */
export function Ranking({ data, view, change }: Props): preact.JSX.Element | null {
  const ranked = ranking(data, view, ofWork(data, view.threads));
  if (ranked.length < 3) return null;
  return (
    <details class="ranking">
      <summary>Head-to-head: choose two neighbours in the ranking</summary>
      <ol>
        {ranked.map(({ group, value }, place) => {
          const rival = ranked[place === 0 ? 1 : place - 1]?.group ?? group;
          const architecture = architectureOf(data, group);
          return (
            <li key={group}>
              <button
                type="button"
                class="link"
                onClick={() => change({ baseline: rival, shown: [group] })}
                aria-label={`${nameOf(data, group)} against ${nameOf(data, rival)}`}
              >
                {nameOf(data, group, 60)}
              </button>{" "}
              {times(value)}
              {architecture === null ? "" : `, ${architecture}`}
            </li>
          );
        })}
      </ol>
    </details>
  );
}
