// Elements, and pictures of the core as elements. Nothing is ever parsed as HTML: texts stay texts.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

const SVG = "http://www.w3.org/2000/svg";

export function svgEl(tag: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

const TAGS = new Set(["svg", "g", "path", "circle", "rect", "text", "tspan", "line", "polygon", "title", "desc"]);
const PLAIN =
  /^(class|d|points|cx|cy|r|x|y|dy|dx|x1|x2|y1|y2|width|height|viewBox|transform|font-size|text-anchor|xml:space|role|id|aria-labelledby|aria-describedby|rx|ry)$/;

/** A picture as elements of its own: what is not known to be part of a picture is left out. */
export function picture(text: string, name: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const copy = (from: Element): SVGElement | null => {
    if (!TAGS.has(from.localName)) return null;
    const element = document.createElementNS(SVG, from.localName);
    for (const { name: key, value } of from.attributes) {
      if (!PLAIN.test(key)) continue;
      // several pictures stand on one page
      const own = key === "id" || key.startsWith("aria-");
      element.setAttribute(key, own ? `${name}-${value}` : value);
    }
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) element.append(child.textContent ?? "");
      else if (child.nodeType === Node.ELEMENT_NODE) {
        const inner = copy(child as Element);
        if (inner) element.append(inner);
      }
    }
    return element;
  };
  return (copy(parsed) ?? document.createElementNS(SVG, "svg")) as SVGSVGElement;
}

export function saved(text: string | Blob, name: string, type = "text/plain"): void {
  const url = URL.createObjectURL(typeof text === "string" ? new Blob([text], { type }) : text);
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
