import { UNCLEAR } from './written.ts';

/** Every text, number and the like in a thing, by its path. Lists of these stand as one. */
export function leavesOf(thing: unknown, path = ''): Map<string, string> {
  if (thing === undefined || (thing === null && !path.startsWith('max.'))) return new Map();
  if (thing === null) return new Map([[path, '∞']]);
  if (typeof thing !== 'object') return new Map([[path, valueText(thing)]]);
  if (Array.isArray(thing) && thing.every((each) => typeof each !== 'object'))
    return new Map([[path, thing.map(itemText).join(', ')]]);
  return new Map(
    Object.entries(thing).flatMap(([name, value]) => [
      ...leavesOf(value, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

/** A text that would read as another kind of value stands in quotes: what differs must look different. */
function valueText(value: unknown): string {
  // It is no maximum without an end.
  if (value === UNCLEAR) return '?';
  const isUnclear =
    typeof value === 'string' && /^"|^(?:true|false|∞|[-+]?[\d.]+(?:e[-+]?\d+)?)$/i.test(value);
  return isUnclear ? JSON.stringify(value) : String(value);
}

function itemText(item: unknown): string {
  return typeof item === 'string' && item.includes(',') ? JSON.stringify(item) : valueText(item);
}
