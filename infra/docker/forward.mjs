// Lets Docker reach what listens on this network's 127.0.0.1 alone, as npm start does: forwards
// connections of one port to another. `node forward.mjs 3001 3000`, or with the address to listen on behind.
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

const [from, to] = process.argv.slice(2, 4).map(Number);
const host = process.argv[4] ?? '0.0.0.0';

createServer((outer) => {
  const inner = connect(to, '127.0.0.1');
  // Either end may break off; then the other one has nothing more to do.
  const end = () => {
    outer.destroy();
    inner.destroy();
  };
  pipeline(outer, inner, end);
  pipeline(inner, outer, end);
}).listen(from, host, () => console.log(`forwards port ${from} to 127.0.0.1:${to}`));
