import { type ComponentChildren } from "preact";
import { narrowTo, type Data } from "../data";
import {
  categoryChoices,
  currency,
  defaultShown,
  defaultView,
  filters,
  hasPrices,
  MOST_SHOWN,
  PERS,
  threadChoices,
  type Per,
  type Sort,
  type View,
} from "../view";
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

function perInWords(data: Data, per: Per): string {
  return { machine: "machine", cpu: "CPU", money: currency(data) }[per];
}

/** The view of a category, on threads that it was measured on. */
function ofCategory(data: Data, view: View, category: string | null): Partial<View> {
  const narrowed = narrowTo(data, category);
  const choices = threadChoices(narrowed);
  const threads = choices.includes(view.threads) ? view.threads : (choices[0] ?? view.threads);
  const plain = defaultShown(narrowTo(data, view.category), view.baseline, view.threads);
  const isPlain = view.shown.join() === plain.join();
  return { category, threads, shown: isPlain ? defaultShown(narrowed, view.baseline, threads) : view.shown };
}

/** The reader's choices, in a drawer: most read only the answer. */
export function Controls({ data, view, change, addPrices }: ControlsProps): preact.JSX.Element {
  const narrowed = narrowTo(data, view.category);
  const categories = categoryChoices(data);
  const implementations = [...new Set(data.rows.map((row) => row.implementation))].sort();
  return (
    <details
      class="drawer"
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.open = false;
      }}
    >
      <summary>
        Filters:{" "}
        {[
          ...(view.category === null ? [] : [shown(view.category, 40)]),
          threadsInWords(view.threads),
          ...(view.per === "machine" ? [] : [`per ${perInWords(data, view.per)}`]),
          ...filters(view),
        ].join(", ")}
      </summary>
      <form class="controls" aria-label="What is shown" onSubmit={(event) => event.preventDefault()}>
        <Group title="Answer">
          <Choice
            name="baseline"
            title="Baseline"
            value={String(view.baseline)}
            options={data.groups.map(({ label }, place) => [String(place), shown(label, 60)])}
            choose={(chosen) => {
              const baseline = Number(chosen);
              change({ baseline, shown: defaultShown(narrowed, baseline, view.threads) });
            }}
          />
          {categories.length > 1 ? (
            <Choice
              name="category"
              title="Work"
              value={view.category ?? ""}
              options={[["", "all"], ...categories.map((name): Option => [name, shown(name, 60)])]}
              choose={(category) => change(ofCategory(data, view, category || null))}
            />
          ) : null}
          <Choice
            name="threads"
            title="Threads"
            value={view.threads}
            options={threadChoices(narrowed).map((threads) => [threads, threadsInWords(threads)])}
            choose={(threads) => change({ threads })}
          />
          {data.groups.length > 1 ? (
            <Choice
              name="per"
              title="Per"
              value={view.per}
              options={PERS.filter((per) => per !== "money" || hasPrices(data, view)).map((per) => [
                per,
                perInWords(data, per),
              ])}
              choose={(per) => change({ per: per as Per })}
            />
          ) : null}
        </Group>
        <Group title="Below it">
          <Choice
            name="sort"
            title="Sort"
            value={view.sort}
            options={Object.entries(SORTS)}
            choose={(sort) => change({ sort: sort as Sort })}
          />
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
          <Implementations
            all={implementations}
            chosen={view.implementations}
            change={(implementations) => change({ implementations })}
          />
          {data.groups.length > 2 ? <Shown data={data} view={view} change={change} /> : null}
        </Group>
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

/** Controls with a word for what they change in front. */
function Group({ title, children }: { title: string; children: ComponentChildren }): preact.JSX.Element {
  return (
    <div class="group" role="group" aria-label={title}>
      <span class="muted">{title}</span>
      {children}
    </div>
  );
}

type Option = [value: string, words: string];

interface ChoiceProps {
  name: string;
  title: string;
  value: string;
  options: Option[];
  choose: (value: string) => void;
}

/** One of several. */
function Choice({ name, title, value, options, choose }: ChoiceProps): preact.JSX.Element {
  return (
    <label>
      {title}
      <select name={name} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ImplementationsProps {
  all: string[];
  chosen: string[];
  change: (chosen: string[]) => void;
}

/** Some of many; none is all. */
function Implementations({ all, chosen, change }: ImplementationsProps): preact.JSX.Element {
  const toggle = (name: string): void =>
    change(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  return (
    <details class="many">
      <summary>Implementations: {chosen.length === 0 ? "all" : chosen.length}</summary>
      <fieldset>
        <legend>Implementations</legend>
        {all.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              name="implementation"
              value={name}
              checked={chosen.includes(name)}
              onChange={() => toggle(name)}
            />
            {shown(name, 60) || "(none)"}
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
