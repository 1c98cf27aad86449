import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/framework.ts';
import { thirdPartyOf } from '../../tools/third-party.mjs';
import { useFolder } from '../support/folder.ts';

const folder = useFolder();

/** What a bundle of a source is made of. */
function bundleOf(contents: string, root: string) {
  const stdin = { contents, resolveDir: root };
  const options = { bundle: true, write: false, metafile: true, platform: 'node' } as const;
  return buildSync({ ...options, stdin, absWorkingDir: root, outdir: 'out' }).metafile;
}

describe('the licences of a bundle', () => {
  it('are those of the packages that have code in it, and of no other', () => {
    const bundle = bundleOf(`import { parse } from 'yaml'; console.log(parse('a: 1'));`, ROOT);
    const text = thirdPartyOf([bundle, bundle]);
    expect(text.match(/^\S+ \d\S* \(.*\)$/gm)).toEqual(['yaml 2.9.1 (ISC)']);
    expect(text).toContain('Permission to use, copy, modify, and/or distribute this software');
  });

  it('stop a bundle of a package that names none', () => {
    const root = folder.path('');
    for (const [name, text] of [
      ['package.json', '{ "name": "unlicensed", "version": "1.2.3", "main": "index.js" }'],
      ['index.js', 'console.log(1);'],
    ] as const)
      folder.write(`node_modules/unlicensed/${name}`, text);
    expect(() => thirdPartyOf([bundleOf(`import 'unlicensed';`, root)], root)).toThrow(
      'unlicensed 1.2.3 names no licence, expected one in its package.json or in a file LICENSE.',
    );
  });
});
