import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { FrameReader, parseRequest, readCommand } from 'documentdb-local/wire';
import { addressThrough, urlOf } from './given-server.ts';
import { listening } from './listening.ts';
import { STEP_DOWNS, stepDownAnswer } from './step-down-answers.ts';

/** Where a call breaks, in the order in which its bytes travel, and how. */
export const FAULTS = {
  'request-lost': 'the connection is cut before the request reaches the server',
  'request-cut': 'the connection is cut in the middle of the request',
  'request-swallowed': 'the request vanishes and the connection stays open, silent',
  'request-late': 'the request is kept until it is released, perhaps long after its caller gave up',
  'answer-lost': 'the connection is cut after the server answered, before the answer',
  'answer-cut': 'the connection is cut in the middle of the answer',
  'answer-swallowed': 'the answer vanishes and the connection stays open, silent',
  ...STEP_DOWNS,
} as const;

export type Fault = keyof typeof FAULTS;

/** The answer, and all that come after it on its connection, are kept until they are released. */
export type AnswerLate = 'answer-late';

export type Trap = {
  readonly fault: Fault | AnswerLate;
  /** A text in the requests that count; all do where none is said. */
  readonly about?: string;
  /** Requests that pass unharmed before. */
  readonly after: number;
  /** Requests in a row that meet it: two where the driver repeats the first by itself. */
  readonly times: number;
};

/** A way to a database that breaks where a test wants it to. */
export type TcpProxy = {
  /** The database's address through the traffic. */
  readonly uri: string;
  /** Sets a trap in place of the last one, and counts requests from here on. */
  set(trap: Trap): void;
  /** Resolves when the trap's first request met its fault; what the server had to do, it has done. */
  met(): Promise<void>;
  /** Resolves once the server has done all that reached it, for callers that are gone by now, too. */
  quiet(): Promise<void>;
  /** How many requests about documents came since the trap was set. */
  requestCount(): number;
  faultCount(): number;
  /** Lets requests that are kept reach the server, and waits for its answers; lets kept answers go on. */
  release(): Promise<void>;
  forget(): void;
  /** Makes every connection, open or new, silent; or lets new ones through again. */
  silence(isSilent: boolean): void;
  retarget(databaseUri: string): void;
  /** Cuts every connection at once. */
  cut(): void;
  stop(): void;
};

/** Requests that read or change documents; what drivers say to keep a connection does not count. */
const COUNTED: ReadonlySet<string> = new Set([
  ...['findAndModify', 'find', 'aggregate', 'update', 'insert', 'delete', 'commitTransaction'],
]);

type Kept = { readonly link: Link; readonly frame: Buffer };

type Link = {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Faults that await the server's answer, by the number of the request. */
  readonly awaited: Map<number, { readonly fault: Trap['fault']; readonly request: Buffer }>;
  /** Answers that are kept, in their order; undefined while none is. */
  late: Buffer[] | undefined;
  /** Requests about documents that the server has and has not answered, by their numbers. */
  readonly asked: Set<number>;
  /** Nothing passes any more, in either direction. */
  isMute: boolean;
  /** A request of this connection is kept: the server must not notice that its client is gone. */
  keeps: boolean;
};

/** Starts a proxy before a database; it knows whole messages of the wire protocol. */
export async function startTcpProxy(databaseUri: string): Promise<TcpProxy> {
  const traffic = new Traffic(databaseUri);
  const server = createServer((client) => {
    traffic.accept(client);
  });
  return {
    uri: addressThrough(databaseUri, await listening(server)),
    set: (trap) => {
      traffic.set(trap);
    },
    met: () => traffic.met,
    quiet: () => traffic.quiet(),
    requestCount: () => traffic.requests,
    faultCount: () => traffic.faults,
    release: () => traffic.release(),
    forget: () => {
      traffic.forget();
    },
    silence: (isSilent) => {
      traffic.silence(isSilent);
    },
    retarget: (uri) => {
      traffic.target = urlOf(uri);
    },
    cut: () => {
      traffic.cutAll();
    },
    stop() {
      server.close();
      traffic.cutAll();
    },
  };
}

const NO_TRAP: Trap = { fault: 'request-lost', after: Infinity, times: 0 };

class Traffic {
  target: URL;
  requests = 0;
  faults = 0;
  met: Promise<void> = Promise.resolve();
  #trap = NO_TRAP;
  #isMet: () => void = () => undefined;
  #isSilent = false;
  #kept: Kept[] = [];
  readonly #links = new Set<Link>();

  constructor(databaseUri: string) {
    this.target = urlOf(databaseUri);
  }

  set(trap: Trap): void {
    this.#trap = trap;
    this.requests = 0;
    this.faults = 0;
    this.met = new Promise((resolve) => {
      this.#isMet = resolve;
    });
  }

  accept(client: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    const link: Link = {
      client,
      upstream,
      awaited: new Map(),
      late: undefined,
      asked: new Set(),
      isMute: this.#isSilent,
      keeps: false,
    };
    this.#links.add(link);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
    }
    client.on('close', () => {
      this.#cutIfDone(link);
    });
    upstream.on('close', () => {
      client.destroy();
      link.asked.clear();
      this.#cutIfDone(link);
    });
    onFrames(client, (frame) => {
      if (!link.isMute) this.#request(link, frame);
    });
    onFrames(upstream, (frame) => {
      link.asked.delete(frame.readInt32LE(8));
      if (link.client.destroyed) this.#cutIfDone(link);
      if (!link.isMute) this.#answer(link, frame);
    });
  }

  /** A turn first: a caller may have written a request in the one in which it gave up. */
  async quiet(): Promise<void> {
    do await setTimeout(5);
    while ([...this.#links].some(({ asked }) => asked.size > 0));
  }

  async release(): Promise<void> {
    for (const link of this.#links) {
      for (const frame of link.late ?? []) if (!link.client.destroyed) link.client.write(frame);
      link.late = undefined;
    }
    for (const { link, frame } of this.#kept.splice(0)) {
      if (link.upstream.destroyed) continue;
      const answered = Promise.race([once(link.upstream, 'data'), once(link.upstream, 'close')]);
      link.isMute = false;
      link.keeps = false;
      link.upstream.write(frame);
      await answered;
      if (link.client.destroyed) this.#cut(link);
    }
  }

  forget(): void {
    for (const { link } of this.#kept.splice(0)) this.#cut(link);
  }

  silence(isSilent: boolean): void {
    this.#isSilent = isSilent;
    if (isSilent) for (const link of this.#links) link.isMute = true;
  }

  cutAll(): void {
    for (const link of this.#links) this.#cut(link);
  }

  /** The server does what it has been asked, whether its client is gone or not. */
  #cutIfDone(link: Link): void {
    if (!link.keeps && link.asked.size === 0) this.#cut(link);
  }

  #cut(link: Link): void {
    this.#links.delete(link);
    link.asked.clear();
    link.client.destroy();
    link.upstream.destroy();
  }

  #request(link: Link, frame: Buffer): void {
    const { fault, about, after, times } = this.#trap;
    if (!isCounted(frame) || (about !== undefined && !frame.includes(about))) {
      link.upstream.write(frame);
      return;
    }
    this.requests += 1;
    const isHit = this.requests > after && this.requests <= after + times;
    if (!isHit) {
      link.asked.add(frame.readInt32LE(4));
      link.upstream.write(frame);
      return;
    }
    this.faults += 1;
    this.#breakRequest(link, frame, fault);
  }

  #breakRequest(link: Link, frame: Buffer, fault: Trap['fault']): void {
    switch (fault) {
      case 'request-lost':
        this.#cut(link);
        break;
      case 'request-cut':
        link.upstream.write(firstHalf(frame), () => {
          this.#cut(link);
        });
        break;
      case 'request-swallowed':
        link.isMute = true;
        break;
      case 'request-late':
        link.isMute = true;
        link.keeps = true;
        this.#kept.push({ link, frame });
        break;
      case 'not-primary':
      case 'interrupted':
        link.client.write(stepDownAnswer(fault, frame));
        break;
      case 'answer-lost':
      case 'answer-cut':
      case 'answer-swallowed':
      case 'answer-late':
      case 'interrupted-after':
      case 'stepped-down':
        link.awaited.set(frame.readInt32LE(4), { fault, request: frame });
        link.asked.add(frame.readInt32LE(4));
        link.upstream.write(frame);
        return; // met once the server has answered
    }
    this.#isMet();
  }

  #answer(link: Link, frame: Buffer): void {
    const { fault, request } = link.awaited.get(frame.readInt32LE(8)) ?? {};
    if (fault === undefined || request === undefined) {
      if (link.late !== undefined) link.late.push(frame);
      else if (!link.client.destroyed) link.client.write(frame);
      return;
    }
    this.#isMet();
    if (fault === 'answer-late') link.late = [frame];
    else if (fault === 'answer-swallowed') link.isMute = true;
    else if (fault === 'answer-lost') this.#cut(link);
    else if (fault === 'interrupted-after' || fault === 'stepped-down')
      link.client.write(stepDownAnswer(fault, request, frame));
    else
      link.client.write(firstHalf(frame), () => {
        this.#cut(link);
      });
  }
}

function onFrames(socket: Socket, take: (frame: Buffer) => void): void {
  const reader = new FrameReader();
  socket.on('data', (chunk) => {
    for (const frame of reader.push(chunk)) take(frame);
  });
}

function isCounted(frame: Buffer): boolean {
  return COUNTED.has(readCommand(parseRequest(frame)).name);
}

function firstHalf(frame: Buffer): Buffer {
  return frame.subarray(0, Math.floor(frame.length / 2));
}
