/**
 * Starts a database of its own on the folder in the first argument, kept, and prints what happens
 * as JSON lines; stops it when told so on standard input, and leaves it to its fate when killed.
 */
import { once } from 'node:events';
import { startDatabase } from '../../infra/local/database.ts';

delete process.env.MONGODB_URI;
const print = (news: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(news)}\n`);
try {
  const database = await startDatabase({
    folder: process.argv[2] ?? '',
    keepsData: true,
    ttlSweepSeconds: 'never',
    report: (line) => print({ line }),
  });
  print({ uri: database.uri });
  void database.ended.then(() => print({ ended: true }));
  await once(process.stdin, 'data');
  await database.stop();
  print({ stopped: true });
  process.exit(0);
} catch (error) {
  print({ error: String(error) });
  process.exit(1);
}
