import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import type { Browser } from 'playwright-core';
import { consoleFolder } from '../../../infra/local/console-files.ts';
import { inTurn, installMissing } from '../install.mjs';

/** A real Chromium, and the console that it opens. What only these need is installed here. */

const CONSOLE = join(import.meta.dirname, '..');
const CACHE = join(CONSOLE, '..', '..', 'node_modules', '.cache', 'headroom');

/** Installs what tests need beside what the build needs. */
export async function install(): Promise<void> {
  await inTurn(CONSOLE, () => installMissing(CONSOLE, { forTests: true }));
}

/** Builds the console as `npm start` does; gives its folder. */
export async function built(): Promise<string> {
  await install();
  const folder = consoleFolder();
  if (!existsSync(join(folder, 'index.html')))
    execFileSync(process.execPath, [join(CONSOLE, 'build.mjs'), folder], { stdio: 'inherit' });
  return folder;
}

/** Starts the Chromium that npm carries on Linux, and the system's own Chrome elsewhere. */
export async function launch(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  // One at a time: nobody may start a program that another one still writes.
  const { executablePath, libraries } = await inTurn(CONSOLE, unpacked);
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    env: { ...process.env, ...libraries, FONTCONFIG_FILE: fonts() },
  });
}

/** The browser's program, and what stands in for libraries that this system has not. */
async function unpacked() {
  const before = { ...process.env };
  mkdirSync(CACHE, { recursive: true });
  // It unpacks below the folder for temporary files, and its libraries only where it believes to be Lambda.
  Object.assign(process.env, { TMPDIR: CACHE, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' });
  try {
    const { default: carried } = await import('@sparticuz/chromium');
    const executablePath = await carried.executablePath();
    const needed = spawnSync('ldd', [executablePath], { encoding: 'utf8' }).stdout;
    const path = join(CACHE, 'al2023', 'lib');
    const libraries = needed.includes('not found') ? { LD_LIBRARY_PATH: path } : {};
    return { executablePath, libraries };
  } finally {
    for (const name of [
      'TMPDIR',
      'AWS_EXECUTION_ENV',
      'LD_LIBRARY_PATH',
      'FONTCONFIG_PATH',
      'HOME',
    ])
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
  }
}

/** One font for both languages, wherever tests run: pictures look the same. */
function fonts(): string {
  const folder = join(CACHE, 'console-fonts');
  mkdirSync(folder, { recursive: true });
  const noto = join(CONSOLE, 'node_modules', '@expo-google-fonts', 'noto-sans-sc');
  for (const weight of ['400Regular', '600SemiBold']) {
    const file = join(noto, weight, `NotoSansSC_${weight}.ttf`);
    putWhole(join(folder, basename(file)), (path) => {
      copyFileSync(file, path);
    });
  }
  // No font of the system's: the one that is there is taken for every name.
  const text = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}</dir><cachedir>${join(folder, 'cache')}</cachedir></fontconfig>\n`;
  const path = join(folder, 'fonts.conf');
  putWhole(path, (own) => {
    writeFileSync(own, text);
  });
  return path;
}

/** Nobody sees a part of it: a browser that another process starts meanwhile would remember half a font for good. */
function putWhole(path: string, write: (path: string) => void): void {
  if (existsSync(path)) return;
  const own = join(CACHE, `${basename(path)}-${process.pid}`);
  write(own);
  renameSync(own, path);
}
