// npm, while no other npm installs in this folder: node npm.mjs (tests | build) NPM-CLI.JS PARAMETERS. The turn
// ends with this process, so that nobody installs beside an npm whose starter was killed.
import { basename } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { isInstalled, takeTurn } from './install.mjs';

const [node, , need, npm, ...parameters] = process.argv;
const folder = process.cwd();

await takeTurn(`${basename(folder)}-npm`);
// Another npm may have installed it meanwhile.
if (!isInstalled(folder, need === 'tests')) {
  process.argv = [node, npm, ...parameters];
  await import(pathToFileURL(npm).href);
}
