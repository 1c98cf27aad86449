/** Where somebody types in YAML: by whole lines, and within one line in `{ }` and `[ ]`, too. */
type TypedPlace = {
  /** Names from the outermost inwards; lists have none. */
  readonly path: readonly string[];
  /** Whether a name is typed, and not a value. */
  readonly isName: boolean;
  /** What is typed of it. */
  readonly typed: string;
  /** Blanks before it, by which what belongs to it is set in further. */
  readonly indent: number;
  /** Whether it stands in `{ }` or `[ ]`. */
  readonly isInline: boolean;
};

type Outer = { readonly indent: number; readonly name: string };

/** Finds what the end of a text is about. */
export function placeAtEnd(text: string): TypedPlace {
  const lines = text.split('\n');
  const outer: Outer[] = [];
  for (const line of lines.slice(0, -1)) {
    const { indent, within, content } = lineOf(line);
    if (content === '' || content.startsWith('#')) continue;
    leave(outer, within);
    const [, name] = /^["']?([\w-]+)["']?:(?:\s|$)/.exec(content) ?? [];
    if (name !== undefined) outer.push({ indent, name });
  }
  const { indent, within, content } = lineOf(lines.at(-1) ?? '');
  leave(outer, within);
  const path = outer.map(({ name }) => name);
  const [, name, value] = /^["']?([\w-]+)["']?:\s+(.*)$/.exec(content) ?? [];
  const at = { indent, isInline: false };
  if (name !== undefined && value !== undefined)
    return {
      ...at,
      path: [...path, name],
      isName: false,
      typed: value,
      ...inline(value, [...path, name]),
    };
  const found = inline(content, path);
  if (found !== undefined) return { ...at, ...found };
  // Lists of a rule have values, and nothing with names.
  return { ...at, path, isName: within === indent - 1, typed: content };
}

/** Where a line begins, and where what has it inside must begin before: an item may stand below the very name of its list. */
function lineOf(line: string) {
  const [, blanks = '', dashes = '', content = ''] = /^(\s*)((?:-\s+|-$)*)(.*)$/.exec(line) ?? [];
  const indent = blanks.length + dashes.length;
  return { indent, within: dashes === '' ? indent - 1 : blanks.length, content };
}

function leave(outer: Outer[], within: number): void {
  for (let last = outer.at(-1); last !== undefined && last.indent > within; last = outer.at(-1))
    outer.pop();
}

/** Within `{ }` and `[ ]`: undefined where all are closed, or there are none. */
function inline(
  text: string,
  above: readonly string[],
): Pick<TypedPlace, 'path' | 'isName' | 'typed' | 'isInline'> | undefined {
  const open: { readonly isList: boolean; name: string | undefined }[] = [];
  let typed = '';
  for (const sign of text) {
    const last = open.at(-1);
    if (sign === '{' || sign === '[') open.push({ isList: sign === '[', name: undefined });
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',' && last !== undefined) last.name = undefined;
    else if (sign === ':' && last?.isList === false && last.name === undefined)
      last.name = typed.trim();
    else {
      typed += sign;
      continue;
    }
    typed = '';
  }
  const last = open.at(-1);
  if (last === undefined) return undefined;
  const path = [...above, ...open.flatMap(({ name }) => name ?? [])];
  const isName = !last.isList && last.name === undefined;
  return { path, isName, typed: typed.trimStart(), isInline: true };
}
