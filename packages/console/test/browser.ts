import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { takeLock } from '../../../cli/lock-file.ts';
import { consoleFolder } from '../../../infra/local/console-files.ts';

/** A real Chromium, and the console that it opens. What only these need is installed here. */

const CONSOLE = join(import.meta.dirname, '..');
const CACHE = join(CONSOLE, '..', '..', 'node_modules', '.cache', 'headroom');

/** Installs what tests need beside what the build needs. */
export async function install(): Promise<void> {
  if (isInstalled()) return;
  mkdirSync(CACHE, { recursive: true });
  const free = await inTurn(join(CACHE, 'console-install.lock'));
  try {
    if (!isInstalled()) installNow();
  } finally {
    await free();
  }
}

function isInstalled(): boolean {
  const { devDependencies } = JSON.parse(readFileSync(join(CONSOLE, 'package.json'), 'utf8')) as {
    readonly devDependencies: object;
  };
  return Object.keys(devDependencies).every((name) =>
    existsSync(join(CONSOLE, 'node_modules', name, 'package.json')),
  );
}

class BusyError extends Error {}

/** Waits while another test file installs: two at once break each other. */
async function inTurn(lock: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await takeLock(lock, (pid) => new BusyError(`process ${pid} installs`));
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      await setTimeout(500);
    }
  }
}

function installNow(): void {
  const npm = process.env.npm_execpath;
  const command = npm === undefined ? ['npm'] : [process.execPath, npm];
  const [program = '', ...first] = command;
  const parameters = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync(program, parameters, { cwd: CONSOLE, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci in packages/console ended with ${status}`);
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
  const { executablePath, libraries } = await unpacked();
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
    copyFileSync(file, join(folder, basename(file)));
  }
  const path = join(folder, 'fonts.conf');
  // No font of the system's: the one that is there is taken for every name.
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}</dir><cachedir>${join(folder, 'cache')}</cachedir></fontconfig>\n`,
  );
  return path;
}
