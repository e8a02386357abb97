import { type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { LIGHT, type Chart, type Theme } from "../charts/chart";
import { shown } from "../words/numbers";
import { copyPng, savePng, saveSvg } from "./copy";
import { Table } from "./table";

interface Props {
  chart: Chart;
  theme: Theme;
  level?: "h2" | "h3";
  /** A table that a page shows instead of the picture, which is then only for copies. */
  table?: JSX.Element | undefined;
}

/** Runs something when the browser has nothing else to do; gives what calls it off. */
function whenIdle(run: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(run);
  return () => cancelIdleCallback(asked);
}

/** A picture with its caption, its exact values, and its copies. */
export function Drawing({ chart, theme, level: Heading = "h3", table }: Props): JSX.Element {
  return (
    <figure class="drawing" id={`chart-${chart.name}`}>
      <figcaption>
        <Heading>{chart.title}</Heading>
        <p>{chart.caption}</p>
      </figcaption>
      {table ?? <Picture chart={chart} theme={theme} />}
      <Notes notes={chart.notes} />
      <Values chart={chart} />
    </figure>
  );
}

/** As wide as the text of a sheet of paper: a picture that is drawn for a screen would be made smaller there, with its words. */
const PAPER_PX = 700;

/** Drawn as wide as there is room, and anew for paper. */
function Picture({ chart, theme }: { chart: Chart; theme: Theme }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [isDue, setDue] = useState(false);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const size = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    size.observe(element);
    // Soon and not when it comes near: a page must not grow while someone reads it.
    const callOff = whenIdle(() => setDue(true));
    return () => {
      callOff();
      size.disconnect();
    };
  }, []);
  // At once, not after the next frame: a browser may be asked to print before that.
  useLayoutEffect(() => {
    const draw = (theme: Theme, most = Infinity): void => {
      const element = place.current;
      const width = Math.min(Math.floor(element?.clientWidth ?? 0), most);
      if (width === 0) return;
      element?.replaceChildren(chart.draw({ document, width, theme, interactive: true, isTitled: false }));
    };
    if (isDue) draw(theme);
    // The browser prints what is there when these have run: nothing may wait for a later moment.
    const print = (): void => draw(LIGHT, PAPER_PX);
    const printed = (): void => draw(theme);
    addEventListener("beforeprint", print);
    addEventListener("afterprint", printed);
    return () => {
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", printed);
    };
  }, [isDue, width, theme, chart]);
  return (
    <>
      <div class="picture" ref={place} />
      <p class="unseen">{shown(chart.summary, 2000)}</p>
    </>
  );
}

/** The exact values of a picture, made when someone wants to see them, and its copies. */
function Values({ chart }: { chart: Chart }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [copied, setCopied] = useState("");
  const forCopy = (): SVGSVGElement =>
    chart.draw({ document, width: 960, theme: LIGHT, interactive: false, isTitled: true });
  return (
    <details class="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Values, copies</summary>
      {isOpen ? (
        <>
          <div class="tools">
            <button type="button" onClick={() => void copyPng(forCopy()).then(setCopied)}>
              Copy as PNG
            </button>
            <button type="button" onClick={() => void savePng(forCopy(), chart.name).then(setCopied)}>
              Save PNG
            </button>
            <button type="button" onClick={() => setCopied(saveSvg(forCopy(), chart.name))}>
              Save SVG
            </button>
            <span role="status">{copied}</span>
          </div>
          <Notes notes={chart.details} />
          <div class="scroll" tabIndex={0} role="region" aria-label={`${chart.title}: values`}>
            <Table {...chart.table()} />
          </div>
        </>
      ) : null}
    </details>
  );
}

function Notes({ notes = [] }: { notes?: string[] | undefined }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul class="chart-notes">
      {notes.map((note, place) => (
        <li key={place}>{note}</li>
      ))}
    </ul>
  );
}
