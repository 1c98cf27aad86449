/** Explores stories: by chance, and again in fewer moves where one breaks something. */
import type { Mistake } from './planting.ts';
import type { RandomScene, SceneKind } from './random-scene.ts';
import { randomScene } from './random-scene.ts';
import type { Scene, SceneRuleSet } from './scene.ts';
import { describeCall } from './scene.ts';
import type { Move, Step } from './moves.ts';
import type { TaleOptions } from './tale.ts';
import type { Stage } from './stage.ts';
import { LONG_MS, mayQueue } from './stage.ts';
import { Tale, moveOf } from './tale.ts';
import { Broken } from './broken.ts';

export type Failure = {
  readonly seed: number;
  readonly scene: Scene;
  readonly moves: readonly Move[];
  readonly broken: Broken;
};

export async function tellBySeed(
  seed: number,
  kind: SceneKind,
  options: TaleOptions = {},
): Promise<Failure | undefined> {
  const random = randomScene(seed, kind);
  const moves: Move[] = [];
  const broken = await brokenIn(random.scene, options, async (tale) => {
    for (let move = nextBy(random, tale, moves); move; move = nextBy(random, tale, moves)) {
      moves.push(move);
      await tale.make(move);
    }
  });
  return broken && { seed, scene: random.scene, moves, broken };
}

/** Stories between two lines that say how far a long run is. */
const REPORTED = 1_000;

/** The first story that breaks an invariant, of so many from a seed on. */
export async function firstFailure(
  kind: SceneKind,
  from: number,
  count: number,
  options: TaleOptions = {},
): Promise<Failure | undefined> {
  for (let told = 0; told < count; told++) {
    const failure = await tellBySeed(from + told, kind, options);
    if (failure !== undefined) return failure;
    if ((told + 1) % REPORTED === 0)
      process.stdout.write(`${JSON.stringify(kind)}: ${told + 1} stories, no difference\n`);
  }
  return undefined;
}

/** Tells a story of given moves; those that cannot be made are left out. */
export function tellMoves(
  scene: Scene,
  moves: readonly Move[],
  mistake?: Mistake,
): Promise<Broken | undefined> {
  return brokenIn(scene, { mistake }, async (tale) => {
    for (const move of moves) await tale.make(move);
  });
}

async function brokenIn(
  scene: Scene,
  options: TaleOptions,
  tell: (tale: Tale) => Promise<void>,
): Promise<Broken | undefined> {
  const tale = new Tale(scene, options);
  try {
    await tell(tale);
    await tale.end();
    return undefined;
  } catch (error) {
    if (error instanceof Broken) return error;
    throw error;
  }
}

/** The next move of a story by chance; undefined where it is to end. */
function nextBy(
  { scene, waits, faults, sticks, chance, waiting }: RandomScene,
  { stage }: Tale,
  moves: readonly Move[],
): Move | undefined {
  const done = (test: (move: Move) => boolean): number => moves.filter(test).length;
  const ms = waits[done((move) => move.do === 'wait')];
  const unstarted = scene.calls.filter(({ name }) => !stage.calls.has(name));
  const { steps, onTheWay } = stage;
  const queued = waiting && queuedBy(waiting, stage, done);
  if (queued !== undefined) return queued;
  if (unstarted.length === 0 && steps.length === 0 && (onTheWay.length === 0 || chance.isLucky(30)))
    return undefined;
  const isLong = ms !== undefined && ms >= LONG_MS;
  if (ms !== undefined && !(isLong && stage.isBusy) && chance.isLucky(isLong ? 40 : 8))
    return { do: 'wait', ms };
  if (scene.deletionAheadMs !== undefined && chance.isLucky(25) && stage.mayDelete)
    return { do: 'delete' };
  const isNothingElse = unstarted.length === 0 && steps.length === 0;
  if (onTheWay.length > 0 && (isNothingElse || chance.isLucky(15))) {
    const { call, document } = chance.pick(onTheWay);
    return { do: 'arrive', call: call.call.name, document };
  }
  const [next, other = next] = unstarted;
  if (next !== undefined && other !== undefined && (steps.length === 0 || chance.isLucky(20)))
    return { do: 'start', call: (chance.isLucky(80) ? next : other).name };
  const step = stepBy(chance, sticks, steps, moves);
  const wentWrong = done(
    (move) => move.do === 'crash' || (move.do === 'step' && move.end !== 'answered'),
  );
  if (step.isWrite && wentWrong < faults && chance.isLucky(20)) {
    const end = chance.pick(ENDS);
    return end === 'crash' ? { do: 'crash', call: step.call.call.name } : moveOf(step, end);
  }
  const isRead = step.name === 'find';
  return moveOf(step, isRead && wentWrong < faults && chance.isLucky(4) ? 'failed' : 'answered');
}

/** Waits of a story while a write waits in the database. */
const QUEUED_MS = [500, 1_999, 2_001, 4_000, 6_001, 30_000];
const QUEUED_WAITS_MAX = 4;

/** A write comes to wait in the database, its caller gives it up, or time passes meanwhile; undefined where none does. */
function queuedBy(
  waiting: Chance,
  { steps, onTheWay }: Stage,
  done: (test: (move: Move) => boolean) => number,
): Move | undefined {
  const all = [...steps, ...onTheWay];
  const [coming, here] = [all.filter(mayQueue), all.filter(({ cameAt }) => cameAt !== undefined)];
  if (coming.length > 0 && waiting.isLucky(15)) {
    const { call, document } = waiting.pick(coming);
    return { do: 'queue', call: call.call.name, document };
  }
  const given = here.filter((step) => steps.includes(step));
  if (given.length > 0 && waiting.isLucky(15)) return moveOf(waiting.pick(given), 'overdue');
  const waits = done((move) => move.do === 'wait');
  if (here.length > 0 && waits < QUEUED_WAITS_MAX && waiting.isLucky(15))
    return { do: 'wait', ms: waiting.pick(QUEUED_MS) };
  return undefined;
}

/** How a statement of a story goes wrong. */
const ENDS = ['crash', 'lost', 'lost', 'failed', 'late', 'late', 'swallowed', 'overdue'] as const;

function stepBy(
  chance: Chance,
  sticks: number,
  steps: readonly Step[],
  moves: readonly Move[],
): Step {
  const last = moves.at(-1);
  const same = steps.filter(
    ({ call }) => last !== undefined && 'call' in last && call.call.name === last.call,
  );
  return chance.pick(same.length > 0 && chance.isLucky(sticks) ? same : steps);
}

type Chance = RandomScene['chance'];

/** The failure with the fewest moves, found by leaving some out. */
export async function shortened(failure: Failure, mistake?: Mistake): Promise<Failure> {
  let { scene, moves, broken } = failure;
  const { invariant } = broken;
  const tryOut = async (aScene: Scene, some: readonly Move[]): Promise<boolean> => {
    const found = await tellMoves(aScene, some, mistake).catch(() => undefined);
    if (found?.invariant !== invariant) return false;
    [scene, moves, broken] = [aScene, some, found];
    return true;
  };
  for (const simpler of simplerThan(scene)) await tryOut({ ...scene, ...simpler }, moves);
  for (let size = Math.ceil(moves.length / 2); size >= 1;) {
    let isShorter = false;
    for (let at = 0; at < moves.length; at += size)
      if (await tryOut(scene, [...moves.slice(0, at), ...moves.slice(at + size)])) {
        isShorter = true;
        at -= size;
      }
    if (!isShorter) size = size === 1 ? 0 : Math.floor(size / 2);
  }
  for (const [at, move] of moves.entries())
    if (move.do === 'step' && move.end !== 'answered')
      await tryOut(scene, moves.with(at, { ...move, end: 'answered' }));
  return { ...failure, scene, moves, broken };
}

function simplerThan({ ending }: Scene): readonly Partial<Scene>[] {
  return [
    { aheadMs: 0 },
    { serversAheadMs: {} },
    { lanes: 'general' },
    { lanes: 'plain' },
    { onUndecided: 'refuse' },
    { ending: { ...ending, isLate: false } },
    { ending: { ...ending, arrives: false } },
    { ending: { ...ending, confirms: [] } },
    { ending: { isLate: false, arrives: false, confirms: [] } },
  ];
}

export async function storyOf(
  { seed, scene, moves, broken }: Failure,
  mistake?: Mistake,
): Promise<string> {
  const tale = new Tale(scene, { mistake, isWritten: true });
  try {
    for (const move of moves) await tale.make(move);
    await tale.end();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  }
  const orders = scene.orders.map(({ orderId, subjects, capture, failed, ...order }) => {
    const { isPayout, isPartial, card } = order;
    const recorded = failed === undefined ? '' : `recorded as failed ${failed.reasonCode ?? ''}`;
    const kind = [isPayout === true ? 'payout' : '', isPartial === true ? 'takes what fits' : ''];
    const how = [
      ...kind,
      card === undefined ? '' : `card ${card}`,
      capture ? 'counted at once' : '',
      recorded,
    ];
    return [orderId, JSON.stringify(subjects), ...how].join(' ');
  });
  const unmade = scene.calls.filter(({ name }) => !tale.stage.calls.has(name));
  return [
    `seed ${seed}: ${broken.message}`,
    ...orders.map((line) => `  ${line}`),
    `  lanes ${scene.lanes}, ${scene.outcomesMax ?? 'all'} outcomes, ahead ${scene.aheadMs} ms, ${JSON.stringify(scene.serversAheadMs)}`,
    ...[scene, ...(scene.laterRules ?? [])].map((set) => `  rules ${rulesText(set)}`),
    `  open ${JSON.stringify(scene.openMax)}, deletes ${scene.deletionAheadMs}, one commit ${scene.isOneCommit}, audit ${scene.audit}`,
    ...(tale.lines ?? []).map((line) => `  ${line}`),
    ...tale.describeDocuments(),
    ...unmade.map((call) => `  (not begun: ${describeCall(call, scene)})`),
  ].join('\n');
}

/** Each field of a rule set: a new one must be here before the types agree. */
const RULE_FIELDS: Readonly<Record<keyof SceneRuleSet, true>> = {
  maxima: true,
  minuteCount: true,
  rolling: true,
  shadow: true,
  failed: true,
  told: true,
  unproven: true,
  hoursCount: true,
  level: true,
  cards: true,
  expired: true,
  emptied: true,
  daily: true,
};

function rulesText(set: SceneRuleSet): string {
  const fields = Object.entries(set).filter(([field]) => Object.hasOwn(RULE_FIELDS, field));
  return JSON.stringify(Object.fromEntries(fields));
}
