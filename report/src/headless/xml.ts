// A drawing as XML. The document that draws without a browser writes HTML, which isn't always XML.

const ELEMENT = 1;
const TEXT = 3;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as XML has it; what no XML may have is replaced. */
function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
    .replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c);
}

/** An element with all that is in it. */
export function xml(node: Node): string {
  if (node.nodeType === TEXT) return escaped(node.textContent ?? "");
  if (node.nodeType !== ELEMENT) return "";
  const element = node as Element;
  const name = element.localName;
  const attributes = [...element.attributes]
    .map((attribute) => ` ${attribute.name}="${escaped(attribute.value)}"`)
    .join("");
  const inside = [...element.childNodes].map(xml).join("");
  return inside ? `<${name}${attributes}>${inside}</${name}>` : `<${name}${attributes}/>`;
}
