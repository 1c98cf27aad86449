import { describe, expect, it } from 'vitest';
import { bar } from '../../cli/chart/bars.ts';

describe('a bar', () => {
  it.each([
    { value: 10, most: 10, width: 4, drawn: '████', why: 'the most is as wide as there is room' },
    { value: 5, most: 10, width: 4, drawn: '██', why: 'half of it is half as wide' },
    { value: 3, most: 8, width: 1, drawn: '▍', why: 'a block has eight parts' },
    { value: 1, most: 1_000, width: 4, drawn: '▏', why: 'little is more than nothing' },
    { value: 0, most: 10, width: 4, drawn: '', why: 'nothing has no bar' },
    { value: 0, most: 0, width: 4, drawn: '', why: 'nothing of nothing neither' },
  ])('of $value in $most is "$drawn": $why', ({ value, most, width, drawn }) => {
    expect(bar(value, most, width)).toBe(drawn);
  });
});
