/**
 * Writes statements as a reader of MongoDB's manual knows them, BSON types visible: `Long(100)` for a
 * 64-bit integer, `ISODate('…')` for a date. What fits in a line stands in one.
 */
export function statementText(value: unknown, indent = ''): string {
  const flat = flatText(value);
  if (indent.length + flat.length <= LINE_MAX || flat === '[]' || flat === '{}') return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${statementText(item, inner)},\n`);
    return `[\n${items.join('')}${indent}]`;
  }
  if (!isFields(value)) return flat;
  const fields = Object.entries(value).map(
    ([name, item]) => `${inner}${nameText(name)}: ${statementText(item, inner)},\n`,
  );
  return `{\n${fields.join('')}${indent}}`;
}

const LINE_MAX = 110;

function flatText(value: unknown): string {
  if (typeof value === 'bigint') return `Long(${value})`;
  if (value instanceof Date) return `ISODate('${value.toISOString()}')`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(flatText).join(', ')}]`;
  if (!isFields(value)) return String(value);
  const fields = Object.entries(value).map(
    ([name, item]) => `${nameText(name)}: ${flatText(item)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function nameText(name: string): string {
  return /^[$\w]+$/.test(name) ? name : `'${name}'`;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
