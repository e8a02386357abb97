import { type Data } from "../data";
import { defaultShown, defaultView, filters, MOST_SHOWN, threadChoices, type Sort, type View } from "../view";
import { shown, threadsInWords } from "../words/numbers";

interface Props {
  data: Data;
  view: View;
  change: (change: Partial<View>) => void;
}

interface ControlsProps extends Props {
  /** Makes room for prices, where none is known. */
  addPrices: (() => void) | null;
}

const SORTS: Record<Sort, string> = { ratio: "by ratio", name: "by name", table: "as measured" };

/** What a reader can choose, in a drawer: most read only the answer. */
export function Controls({ data, view, change, addPrices }: ControlsProps): preact.JSX.Element {
  const choices = threadChoices(data);
  const families = [...new Set(data.rows.map((row) => row.family))];
  const implementations = [...new Set(data.rows.map((row) => row.implementation))].sort();
  const asNumber = (event: Event): number => Number((event.currentTarget as HTMLSelectElement).value);
  return (
    <details
      class="drawer"
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.open = false;
      }}
    >
      <summary>Filters: {[threadsInWords(view.threads), ...filters(view)].join(", ")}</summary>
      <form class="controls" aria-label="What is shown" onSubmit={(event) => event.preventDefault()}>
        <label>
          Baseline
          <select
            name="baseline"
            value={String(view.baseline)}
            onChange={(event) => {
              const baseline = asNumber(event);
              change({ baseline, shown: defaultShown(data, baseline, view.threads) });
            }}
          >
            {data.groups.map((group, place) => (
              <option key={place} value={String(place)}>
                {shown(group.label, 60)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Threads
          <select
            name="threads"
            value={view.threads}
            onChange={(event) => change({ threads: event.currentTarget.value })}
          >
            {choices.map((threads) => (
              <option key={threads} value={threads}>
                {threadsInWords(threads)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Sort
          <select
            name="sort"
            value={view.sort}
            onChange={(event) => change({ sort: event.currentTarget.value as Sort })}
          >
            {Object.entries(SORTS).map(([sort, words]) => (
              <option key={sort} value={sort}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label>
          Find
          <input
            name="text"
            type="search"
            placeholder="workload"
            value={view.text}
            onInput={(event) => change({ text: event.currentTarget.value })}
          />
        </label>
        <Many
          name="family"
          title="Families"
          all={families}
          chosen={view.families}
          change={(families) => change({ families })}
        />
        <Many
          name="implementation"
          title="Implementations"
          all={implementations}
          chosen={view.implementations}
          change={(implementations) => change({ implementations })}
        />
        {data.groups.length > 2 ? <Shown data={data} view={view} change={change} /> : null}
        <button type="button" name="reset" onClick={() => change(defaultView(data))}>
          Reset
        </button>
        {addPrices ? (
          <button type="button" name="add-prices" onClick={addPrices}>
            Add prices
          </button>
        ) : null}
      </form>
    </details>
  );
}

interface ManyProps {
  name: string;
  title: string;
  all: string[];
  chosen: string[];
  change: (chosen: string[]) => void;
}

/** Some of many; none is all. */
function Many({ name, title, all, chosen, change }: ManyProps): preact.JSX.Element {
  const toggle = (of: string): void =>
    change(chosen.includes(of) ? chosen.filter((one) => one !== of) : [...chosen, of]);
  return (
    <details class="many">
      <summary>
        {title}: {chosen.length === 0 ? "all" : chosen.length}
      </summary>
      <fieldset>
        <legend>{title}</legend>
        {all.map((of) => (
          <label key={of}>
            <input
              type="checkbox"
              name={name}
              value={of}
              checked={chosen.includes(of)}
              onChange={() => toggle(of)}
            />
            {shown(of, 60) || "(none)"}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** Which of the other groups are drawn. */
function Shown({ data, view, change }: Props): preact.JSX.Element {
  const toggle = (place: number): void => {
    const rest = view.shown.filter((other) => other !== place);
    // One too many takes the place of the first that was drawn.
    const next = rest.length < view.shown.length ? rest : [...rest, place].slice(-MOST_SHOWN);
    change({ shown: next.sort((a, b) => a - b) });
  };
  return (
    <details class="many">
      <summary>
        Machines beside {shown(data.groups[view.baseline]?.label ?? "", 30)}: {view.shown.length} of{" "}
        {data.groups.length - 1}
      </summary>
      <fieldset>
        <legend>Machines beside the baseline, {MOST_SHOWN} at most</legend>
        {data.groups.map((group, place) =>
          place === view.baseline ? null : (
            <label key={place}>
              <input
                type="checkbox"
                name="shown"
                value={String(place)}
                checked={view.shown.includes(place)}
                onChange={() => toggle(place)}
              />
              {shown(group.label, 60)}
            </label>
          ),
        )}
      </fieldset>
    </details>
  );
}
