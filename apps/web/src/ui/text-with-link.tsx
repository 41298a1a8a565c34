export type Link = { text: string; url: string };

/** A sentence that ends with an address, which opens in a new tab. */
export function TextWithLink({ text, link }: { text: string; link: Link }) {
  return (
    <>
      {text}{' '}
      <a href={link.url} target="_blank" rel="noopener noreferrer">
        {link.text}
      </a>
    </>
  );
}
