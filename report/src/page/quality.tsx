import { type Data, type Sheet } from "../data";
import { compare } from "../judge/comparison";
import { answerable, drawn, type View } from "../view";
import { count, percent, shown } from "../words/numbers";

/** Whether the figures can be believed: what was found, what was disturbed, what is missing and why. */
export function Quality({ data, view }: { data: Data; view: View }): preact.JSX.Element {
  return (
    <section id="quality" aria-labelledby="quality-title">
      <h2 id="quality-title" tabIndex={-1}>
        Data quality
      </h2>
      {drawn(view).map((group) => (
        <div key={group} class="quality">
          <h3>{shown(data.groups[group]?.label ?? "", 60)}</h3>
          {data.groups[group]?.sheets.map((sheet, place) => (
            <Run key={place} sheet={sheet} />
          ))}
        </div>
      ))}
      <Unlike data={data} view={view} />
    </section>
  );
}

function Run({ sheet }: { sheet: Sheet }): preact.JSX.Element {
  const bad = sheet.findings.filter(
    (finding) => finding.severity !== "fine" && finding.severity !== "not-available",
  );
  const disturbed = Object.entries(sheet.disturbed).sort(([, a], [, b]) => b - a);
  return (
    <>
      <p>
        {shown(sheet.file)}: suite {shown(sheet.suite)} version {sheet.suite_version},{" "}
        {sheet.started.slice(0, 16).replace("T", " ")} UTC, {count(Math.round(sheet.seconds), "second")},{" "}
        {count(sheet.windows, "window")}, ended by {sheet.ended ?? "nothing: it is incomplete"}; ±
        {percent(sheet.precision, 1)} was asked for; measured by{" "}
        {shown(sheet.origin?.tool ?? `sizeup ${sheet.sizeup}`)}.
      </p>
      <ul>
        {sheet.notes.map((note, place) => (
          <li key={place} class="warning">
            {shown(note, 1000)}
          </li>
        ))}
        {bad.map((finding) => (
          <li key={finding.id} class={finding.severity}>
            {finding.severity}: {finding.id}: {shown(finding.seen, 1000)} {shown(finding.meaning, 1000)}
          </li>
        ))}
        {disturbed.length > 0 ? (
          <li>
            disturbed windows:{" "}
            {disturbed
              .map(([kind, windows]) => `${windows} of ${sheet.windows} by ${shown(kind)}`)
              .join(", ")}
          </li>
        ) : null}
        {sheet.outcomes.map((outcome, place) => (
          <li key={place} class="warning">
            {shown(outcome.workload)} on {outcome.threads}: {outcome.outcome}: {shown(outcome.message, 1000)}{" "}
            {shown(outcome.hint, 1000)}
          </li>
        ))}
        {bad.length + sheet.notes.length + sheet.outcomes.length === 0 ? (
          <li class="fine">Nothing was found that stands against it.</li>
        ) : null}
      </ul>
    </>
  );
}

/** What is not comparable, and why. */
function Unlike({ data, view }: { data: Data; view: View }): preact.JSX.Element | null {
  const told = new Map<string, string[]>();
  for (const group of answerable(view)) {
    for (const row of compare(data, view.baseline, group)) {
      if (row.ratio) continue;
      const why =
        row.reason ?? row.differences.map((d) => `${d.what}: ${d.baseline} and ${d.other}`).join("; ");
      const key = `${shown(data.groups[group]?.label ?? "", 60)}: ${row.verdict}: ${shown(why, 1000)}`;
      const head = data.rows[row.row];
      told.set(key, [...(told.get(key) ?? []), `${shown(head?.name ?? "")} on ${head?.threads}`]);
    }
  }
  if (told.size === 0) return null;
  return (
    <>
      <h3>Without a ratio</h3>
      <ul>
        {[...told].map(([why, rows]) => (
          <li key={why}>
            <details>
              <summary>
                {why} ({count(rows.length, "row")})
              </summary>
              {rows.join(", ")}
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}
