import { type Data } from "../data";
import { drawn, type View } from "../view";
import { facts } from "../words/machines";
import { shown } from "../words/numbers";
import { Fold } from "./fold";

/** The machines side by side; what differs is marked. */
export function Machines({ data, view }: { data: Data; view: View }): preact.JSX.Element {
  const groups = drawn(view);
  return (
    <section id="machines" aria-labelledby="machines-title">
      <h2 id="machines-title" tabIndex={-1}>
        Machines
      </h2>
      <Fold summary={groups.length > 1 ? "Side by side, differences marked" : "What the machine reports"}>
        {() => <Facts data={data} groups={groups} />}
      </Fold>
    </section>
  );
}

/** Facts of each machine; of several runs the first's. */
function Facts({ data, groups }: { data: Data; groups: number[] }): preact.JSX.Element {
  return (
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
          {facts(data, groups).map(({ what, values, differs }) => (
            <tr key={what} class={differs ? "differs" : ""}>
              <th scope="row">
                {shown(what)}
                {differs ? <span class="mark"> differs</span> : null}
              </th>
              {values.map((value, place) => (
                <td key={place}>{shown(value, 2000)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
