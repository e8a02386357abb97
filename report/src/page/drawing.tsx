import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { LIGHT, type Chart, type Theme } from "../charts/chart";
import { shown } from "../words/numbers";
import { copyPng, savePng, saveSvg } from "./copy";
import { Table } from "./table";

interface Props {
  chart: Chart;
  theme: Theme;
  level?: "h2" | "h3";
}

/** A picture with its caption, its exact values, and its copies. It is drawn when it comes near. */
export function Drawing({ chart, theme, level: Heading = "h3" }: Props): preact.JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [width, setWidth] = useState(0);
  const [copied, setCopied] = useState("");
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const sight = new IntersectionObserver((all) => all.some((one) => one.isIntersecting) && setNear(true), {
      rootMargin: "800px",
    });
    const size = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    sight.observe(element);
    size.observe(element);
    return () => {
      sight.disconnect();
      size.disconnect();
    };
  }, []);
  // At once, not after the next frame: a browser may be asked to print before that.
  useLayoutEffect(() => {
    const draw = (theme: Theme): void => {
      const element = place.current;
      const width = Math.floor(element?.clientWidth ?? 0);
      if (width === 0) return;
      element?.replaceChildren(chart.draw({ document, width, theme, interactive: true, isTitled: false }));
    };
    if (isNear) draw(theme);
    // The browser prints what is there when these have run: nothing may wait for a later moment.
    const print = (): void => draw(LIGHT);
    const printed = (): void => draw(theme);
    addEventListener("beforeprint", print);
    addEventListener("afterprint", printed);
    return () => {
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", printed);
    };
  }, [isNear, width, theme, chart]);
  const forCopy = (): SVGSVGElement =>
    chart.draw({ document, width: 960, theme: LIGHT, interactive: false, isTitled: true });
  return (
    <figure class="drawing" id={`chart-${chart.name}`}>
      <figcaption>
        <Heading>{chart.title}</Heading>
        <p>{chart.caption}</p>
      </figcaption>
      <div class="picture" ref={place} />
      <p class="unseen">{shown(chart.summary, 2000)}</p>
      {chart.notes && chart.notes.length > 0 ? (
        <ul class="chart-notes">
          {chart.notes.map((note, place) => (
            <li key={place}>{note}</li>
          ))}
        </ul>
      ) : null}
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
      <Values chart={chart} />
    </figure>
  );
}

/** The exact values of a picture; made when someone wants to see them. */
function Values({ chart }: { chart: Chart }): preact.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Values</summary>
      {isOpen ? (
        <div class="scroll" tabIndex={0} role="region" aria-label={`${chart.title}: values`}>
          <Table {...chart.table()} />
        </div>
      ) : null}
    </details>
  );
}
