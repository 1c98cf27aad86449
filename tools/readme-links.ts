/** A link or a picture of a page of markdown that leads to a file beside it. */
const RELATIVE = /(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g;

/**
 * Makes the links of a README absolute, for npm shows it without the files beside it.
 *
 * @param repository on GitHub: `owner/name`
 * @param tag the version that is published, such as `v0.1.0`
 */
export function withAbsoluteLinks(markdown: string, repository: string, tag: string): string {
  return markdown.replaceAll(RELATIVE, (_link, mark: string, text: string, path: string) => {
    const base =
      mark === '!'
        ? `https://raw.githubusercontent.com/${repository}/${tag}`
        : `https://github.com/${repository}/blob/${tag}`;
    return `${mark}[${text}](${base}/${path})`;
  });
}
