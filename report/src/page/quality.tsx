import { type Data } from "../data";
import { type View } from "../view";
import { shown } from "../words/numbers";
import { quality, type Found } from "../words/quality";

/** Disturbances of the runs, and what is missing and why. */
export function Quality({ data, view }: { data: Data; view: View }): preact.JSX.Element {
  return (
    <section id="quality" aria-labelledby="quality-title">
      <h2 id="quality-title" tabIndex={-1}>
        Data quality
      </h2>
      {quality(data, view).map(({ machines, found }, place) => (
        <div key={place} class="quality">
          <h3>{shown(machines, 300)}</h3>
          <ul>
            {found.map((problem, place) => (
              <li key={place} class={problem.severity}>
                <Problem found={problem} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function Problem({ found: { text, rows } }: { found: Found }): preact.JSX.Element {
  if (rows.length === 0) return <>{shown(text, 2000)}</>;
  return (
    <details>
      <summary>{shown(text, 2000)}</summary>
      {rows.map((row) => shown(row)).join(", ")}
    </details>
  );
}
