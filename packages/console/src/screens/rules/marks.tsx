import { Given } from '../../ui/text.tsx';
import { useReading } from '../../words/words.tsx';

/** What is wrong with the YAML, line by line, for whoever does not see the marks. */
export function Marks({
  marks,
  text,
}: {
  readonly marks: readonly { readonly from: number; readonly says: string }[];
  readonly text: string;
}) {
  const { say } = useReading();
  if (marks.length === 0) return null;
  return (
    <div className="wrong" role="alert">
      <ul>
        {marks.map(({ from, says }) => (
          <li key={says}>
            {say('edit.line', { line: text.slice(0, from).split('\n').length })}{' '}
            <Given text={says} />
          </li>
        ))}
      </ul>
    </div>
  );
}
