import type { Proposal, ProposalAnswer, StoredRule } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { proposalOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { askedText, differenceOf, spanOf } from '../../ui/effect-over-time.tsx';
import type { Column } from '../../ui/listing.tsx';
import { quantityText } from '../../ui/written.ts';
import { Given, Instant, Person, SubjectLinks } from '../../ui/text.tsx';
import type { AnyWord, Reading, Say } from '../../words/words.tsx';
import { useReading } from '../../words/words.tsx';

/** What a proposal is about, in a few words. */
export function aboutText({ operation, rule, order }: Proposal, say: Say): string {
  return say(`approvals.operation.${operation}`, { rule, order: order?.orderId });
}

/** The columns of proposals: those that wait say when they would hold, others how they ended. */
export function proposalColumns(
  reading: Reading,
  isOpen: boolean,
  toggle: Column<Proposal>['cell'],
): readonly Column<Proposal>[] {
  const { say } = reading;
  const column = (id: string, word: AnyWord, cell: Column<Proposal>['cell']): Column<Proposal> => ({
    ...{ id, header: say(word), cell },
  });
  return [
    column('subjects', 'field.subjects', ({ subject }) =>
      subject === null ? null : <SubjectLinks subjects={subject} />,
    ),
    column('what', 'approvals.what', (proposal) => (
      <>
        <strong>{aboutText(proposal, say)}</strong> {paidText(proposal, reading)}
      </>
    )),
    column('difference', 'approvals.difference', (proposal) => <FromTo proposal={proposal} />),
    ...(isOpen
      ? [
          column('begins', 'field.from', (proposal) => <When proposal={proposal} />),
          column('ends', 'field.until', (proposal) => <When proposal={proposal} isEnd />),
        ]
      : [column('decided', 'field.state', (proposal) => <Decided proposal={proposal} />)]),
    column('by', 'approvals.by', ({ by }) => <Person by={by} />),
    column('reason', 'field.reason', ({ reason = '' }) => <Given text={reason} />),
    column('time', 'approvals.since', ({ at }) => <Instant at={at} isShort />),
    { id: 'open', header: '', cell: toggle },
  ];
}

/** What a change does, and when: only what the server says of it. */
export type Difference = {
  readonly was?: string;
  readonly is?: string;
  /** Absent where it begins with the approval. */
  readonly from?: string | undefined;
  /** Absent where the approval says it. */
  readonly until?: string | null;
};

/** A rule as a proposal asks for it; undefined where it would be gone. */
export function ruleAfter({ operation, asked }: ProposalAnswer, id: unknown) {
  const { rule, rules = [] } = asked as Partial<Record<string, unknown>> & {
    readonly rule?: StoredRule;
    readonly rules?: readonly StoredRule[];
  }; // of the calls `putRule` and `replaceRules`
  return operation === 'put' ? rule : rules.find((each) => each.id === id);
}

/** What an open proposal does; undefined where nobody knows, or it does nothing. */
export function differenceIn(answer: ProposalAnswer, reading: Reading): Difference | undefined {
  const { about, effect, changes, refusals = [], currency } = answer;
  if (about === 'order') {
    const [first, ...more] = refusals;
    if (first === undefined || more.length > 0) return undefined;
    const [was, is] = [first.max, first.upTo].map((sums) => quantityText(sums, currency, reading));
    return was === undefined || is === undefined ? undefined : { was, is };
  }
  if (about === 'terms') {
    if (effect === null) return undefined;
    const span = spanOf(effect, reading);
    return span && { ...differenceOf(effect, reading), ...span };
  }
  const [change, ...others] = changes ?? [];
  if (change === undefined || others.length > 0) return undefined;
  const after = ruleAfter(answer, change.id);
  const before = change.before as StoredRule | null | undefined; // as rules are stored
  const text = (rule: StoredRule | null | undefined): string =>
    rule?.max === undefined
      ? reading.say('limit.noMax')
      : askedText(rule.max, rule.currency, reading);
  const [was, is] = [text(before), text(after)];
  return {
    ...(was === is ? {} : { was, is }),
    ...{ from: after?.from, until: after?.to ?? null },
  };
}

/** The same, of a row of the list. */
function useDifference({ id, state }: Proposal): Difference | undefined {
  const reading = useReading();
  const { data } = useQuery({
    ...proposalOf(useSession(), id, reading.language),
    enabled: state === 'open',
  });
  return state === 'open' && data !== undefined ? differenceIn(data, reading) : undefined;
}

/** From what to what, where the server says it; or else what was asked for. */
function FromTo({ proposal }: { readonly proposal: Proposal }) {
  const reading = useReading();
  const { was, is } = useDifference(proposal) ?? {};
  const { max = amountOf(proposal), currency } = proposal;
  const asked = max === undefined ? undefined : askedText(max, currency, reading);
  return (
    <span className="figure">
      <span>
        {was} {(is ?? asked) !== undefined && '→'}
      </span>{' '}
      <ins>{is ?? asked}</ins>
    </span>
  );
}

function paidText({ order, currency }: Proposal, reading: Reading): string {
  return order === undefined ? '' : quantityText({ amount: order.amount }, currency, reading);
}

const amountOf = ({ order }: Proposal) => order && { amount: order.amount };

/** When a change begins, or when it ends. */
function When({
  proposal,
  isEnd = false,
}: {
  readonly proposal: Proposal;
  readonly isEnd?: boolean;
}) {
  const { say } = useReading();
  const difference = useDifference(proposal);
  if (difference === undefined) return null;
  const at = isEnd ? difference.until : difference.from;
  if (isEnd && at === undefined) return null;
  if (typeof at === 'string') return <Instant at={at} isShort />;
  return say(isEnd ? 'time.never' : 'approvals.atOnce');
}

function Decided({ proposal: { state, decided } }: { readonly proposal: Proposal }) {
  const { say } = useReading();
  const tone = state === 'open' ? 'near' : state === 'approved' ? 'well' : '';
  return (
    <span className="run">
      <span className={`state ${tone}`}>{say(`approvals.${state}`)}</span>
      {decided !== null && (
        <>
          <Person by={decided.by} /> <Given text={decided.reason} />
        </>
      )}
    </span>
  );
}
