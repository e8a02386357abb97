// Copies of pictures and data, for other pages and papers.

/** Sharp on today's screens. */
const SCALE = 2;

/** Lets the browser save a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveSvg(svg: SVGSVGElement, name: string): string {
  save(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }), `${name}.svg`);
  return `${name}.svg is saved`;
}

async function png(svg: SVGSVGElement, scale: number): Promise<Blob> {
  const text = new XMLSerializer().serializeToString(svg);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Number(svg.getAttribute("width")) * scale;
  canvas.height = Number(svg.getAttribute("height")) * scale;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no pictures into memory");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture is too large"))), "image/png");
  });
}

export async function savePng(svg: SVGSVGElement, name: string, scale = SCALE): Promise<string> {
  try {
    save(await png(svg, scale), `${name}.png`);
    return `${name}.png is saved`;
  } catch (error) {
    return `it could not be saved: ${String(error)}`;
  }
}

export async function copyPng(svg: SVGSVGElement): Promise<string> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png(svg, SCALE) })]);
    return "copied";
  } catch (error) {
    const isRefused =
      !("ClipboardItem" in globalThis) || (error instanceof DOMException && error.name === "NotAllowedError");
    return isRefused
      ? "this browser does not let the page copy a picture: save it instead"
      : `it could not be copied: ${String(error)}; save it instead`;
  }
}
