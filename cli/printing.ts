import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { fileReason } from './file-reason.ts';
import { visibleLines } from './output.ts';

/** The fate of the lines that this process prints. */
type Printing = {
  /**
   * Waits until all of it is written.
   *
   * @returns why some of it could not be; undefined where it was, and where its reader has read enough
   */
  readonly end: () => Promise<string | undefined>;
};

/**
 * Lets `console` print for people: no text can control the terminal, wherever it comes from. A reader
 * that goes
 * away (`headroom … | head`) and a full disk end no command half-way.
 */
export function printVisibly(): Printing {
  let lost: Error | undefined;
  process.stdout.on('error', (error: Error) => {
    lost ??= error;
  });
  process.stderr.on('error', () => undefined); // nobody is left to read it
  const { stdout, stderr } = process;
  globalThis.console = new Console({
    stdout: visibly(stdout),
    stderr: visibly(stderr),
    colorMode: false,
  });
  return {
    async end() {
      lost ??= await lossOf(stdout);
      if (lost === undefined || isReaderGone(lost)) return undefined;
      return fileReason(lost);
    },
  };
}

function visibly(stream: NodeJS.WriteStream): Writable {
  return new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      stream.write(visibleLines(String(text)));
      done(); // at once, so that nothing waits here when the process ends
    },
  });
}

/**
 * Prints what nobody can print again, and waits until it is handed over.
 *
 * @returns why it was not, in a few words
 */
export async function handOver(text: string): Promise<string | undefined> {
  console.log(text);
  const lost = await lossOf(process.stdout);
  if (lost === undefined) return undefined;
  return isReaderGone(lost) ? 'nobody reads the output' : fileReason(lost);
}

/** An empty text is written after all that was printed before, and fails as that did. */
function lossOf(stream: NodeJS.WriteStream): Promise<Error | undefined> {
  return new Promise((resolve) => {
    stream.write('', (error) => {
      resolve(error ?? undefined);
    });
  });
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE';
}
