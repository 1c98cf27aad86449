import type { Proposal } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { openProposalsOf } from '../../data/queries.ts';
import { useMay } from '../../data/rights.ts';
import { useSession } from '../../session.tsx';
import { Failure } from '../../ui/panel.tsx';
import { langOf } from '../../ui/text.tsx';
import { useReading } from '../../words/words.tsx';
import { aboutText } from './proposal-columns.tsx';

/** Changes that wait for a second person; nothing where none does. */
export function WaitingChanges({ isMeant }: { readonly isMeant: (proposal: Proposal) => boolean }) {
  const { say } = useReading();
  const mayRead = useMay('rules:read');
  const open = useQuery({ ...openProposalsOf(useSession()), enabled: mayRead });
  if (open.error !== null)
    return <Failure error={open.error} onRetry={() => void open.refetch()} />;
  if (open.data === undefined) return undefined;
  const { proposals, next } = open.data;
  const waiting = proposals.filter(isMeant);
  // The API lists all proposals together: an older page may have one that is meant.
  const mayMiss = next !== null;
  if (waiting.length === 0 && !mayMiss) return undefined;
  return (
    <div className="notice" role="status">
      {waiting.map((proposal) => (
        <p key={proposal.id}>
          {say('subject.waits')}{' '}
          <Link
            to="/approvals"
            search={(before: object) => ({ ...langOf(before), open: proposal.id })}
          >
            {aboutText(proposal, say)}
          </Link>
        </p>
      ))}
      {mayMiss && (
        <p>
          {say('subject.waitsMore', { count: proposals.length })}{' '}
          <Link to="/approvals" search={langOf}>
            {say('nav.approvals')}
          </Link>
        </p>
      )}
    </div>
  );
}
