// What the core answers: the JSON of web/src/say.rs.

export type Spot = [number, number];

export interface Entry {
  name: string;
  text: string;
  choices: number;
  place: [number, Spot] | null;
}

export interface Field {
  name: string;
  kind: "values" | "bool" | "int" | "text" | "word" | "list" | "any";
  optional: boolean;
  array: boolean;
  grid: [number, number] | null;
  missing: boolean;
  choices: string[][];
  entries: Entry[];
}

export interface Fields {
  parameters: Field[];
  variables: Field[];
}

export interface Area {
  drawing: number;
  x: number;
  y: number;
  width: number;
  height: number;
  rows: number;
  columns: number;
  first: Spot;
}

export interface Picture {
  svg: string;
  areas: Area[];
}

export interface FaultPlace {
  source: "model" | "data" | null;
  name: string;
  from: number | null;
  to: number | null;
  line: number;
  column: number;
  label: string;
}

export interface Fault {
  code: string;
  warning: boolean;
  message: string;
  places: FaultPlace[];
  notes: string[];
  help: string[];
}

export interface Solution {
  picture: Picture;
  positions: number[];
  values: Record<string, unknown>;
  objective: number | null;
  text: string;
}

export interface Reason {
  label: string;
  place: string;
  data: string[];
  entries: string[];
}

export interface Conflict {
  reasons: Reason[];
  minimal: boolean;
}

/** An answer of the core; which members are there depends on the question. */
export interface Answer {
  internal?: string;
  faults?: Fault[];
  text?: string;
  limit?: boolean;
  warnings?: Fault[];
  picture?: Picture;
  fields?: Fields;
  objective?: boolean | number | null;
  data?: string;
  model?: string;
  genre?: string;
  boards?: string[];
  unknown?: boolean;
  answer?: string | null;
  solutions?: Solution[];
  over?: boolean;
  unique?: boolean;
  differ?: string[];
  vary?: string[] | null;
  impossible?: Conflict | boolean;
  positions?: (number | null)[];
  fixed?: [string, unknown][];
  open?: { name: string; possible: unknown[] | null }[];
  complete?: boolean;
  value?: unknown;
  other?: unknown;
  because?: Conflict;
  number?: string;
  correct?: boolean;
  broken?: Reason[];
  unlike?: boolean;
  missing?: string[];
  map?: string;
  variables?: number;
  rows?: number;
  lost?: string[];
}

export interface Name {
  name: string;
  chapter: string;
  signature: string;
  about: string;
  example: [string, string];
}

export interface Model {
  name: string;
  about: string;
  aliases: string[];
  boards: string[];
}

/** What is known when the page is built. */
export interface About {
  models: Model[];
  names: Name[];
  words: string[];
  forms: string[];
  style: string;
}

/** A puzzle as the page holds it; the same names as in web/src/requests.rs. */
export interface Puzzle {
  genre: string | null;
  model: string;
  data: string;
}
