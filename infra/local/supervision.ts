import type { StopOrder } from './child-program.ts';
import type { EngineName, TtlSweep } from './engine.ts';

/** The caller's message to the process that owns the engine. */
export type Order =
  | {
      readonly kind: 'start';
      readonly folder: string;
      readonly keepsData: boolean;
      readonly ttlSweep: TtlSweep;
    }
  | StopOrder;

/** The messages of that process. */
export type News =
  | { readonly kind: 'report'; readonly line: string }
  | {
      readonly kind: 'ready';
      readonly uri: string;
      readonly engine: EngineName;
      readonly version: string;
    }
  | { readonly kind: 'failed'; readonly message: string }
  /** The engine ended although nobody asked for it. */
  | { readonly kind: 'lost' };
