import { type Data, type Sheet } from "../data";
import { drawn, type View } from "../view";
import { shown } from "../words/numbers";

/** The machines side by side; what differs is marked. */
export function Machines({ data, view }: { data: Data; view: View }): preact.JSX.Element {
  const groups = drawn(view);
  const sheets = groups.map((group) => data.groups[group]?.sheets[0]);
  const keys = [
    ...new Set(
      sheets.flatMap((sheet) => sheet?.machine.map(([group, label]) => `${group}\u0000${label}`) ?? []),
    ),
  ];
  const value = (sheet: Sheet | undefined, key: string): string =>
    sheet?.machine.find(([group, label]) => `${group}\u0000${label}` === key)?.[2] ?? "–";
  const workers = [...new Set(sheets.flatMap((sheet) => Object.keys(sheet?.builds ?? {})))];
  const build = (sheet: Sheet | undefined, worker: string): string => {
    const of = sheet?.builds[worker];
    if (!of) return "–";
    const libraries = Object.entries(of.libraries).map(([name, version]) => `${name} ${version}`);
    const paths = Object.entries(of.paths).map(([name, path]) => `${name}: ${path}`);
    return [of.compiler, of.flags, ...libraries, ...paths].filter(Boolean).join("; ");
  };
  const line = (head: string, values: string[], key: string): preact.JSX.Element => (
    <tr key={key} class={new Set(values).size > 1 ? "differs" : ""}>
      <th scope="row">
        {shown(head)}
        {new Set(values).size > 1 ? <span class="mark"> differs</span> : null}
      </th>
      {values.map((value, place) => (
        <td key={place}>{shown(value, 2000)}</td>
      ))}
    </tr>
  );
  return (
    <section id="machines" aria-labelledby="machines-title">
      <h2 id="machines-title" tabIndex={-1}>
        Machines
      </h2>
      <p>As each says of itself; of several runs of a machine the first. Where they differ, it is marked.</p>
      <div class="scroll tall" tabIndex={0} role="region" aria-label="Machines">
        <table class="machines">
          <thead>
            <tr>
              <th scope="col">what</th>
              {groups.map((group) => (
                <th key={group} scope="col">
                  {shown(data.groups[group]?.label ?? "", 40)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => {
              const [group = "", label = ""] = key.split("\u0000");
              return line(
                `${group}: ${label}`,
                sheets.map((sheet) => value(sheet, key)),
                key,
              );
            })}
            {workers.map((worker) =>
              line(
                `Build of ${worker}`,
                sheets.map((sheet) => build(sheet, worker)),
                `build ${worker}`,
              ),
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}
