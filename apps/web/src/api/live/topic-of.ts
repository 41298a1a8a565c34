/** The topic of a server-sent event's text; undefined for a text that is none of ours. */
export function topicOf(text: string): string | undefined {
  try {
    const event: unknown = JSON.parse(text);
    return typeof event === 'object' && event !== null && 'topic' in event ? String(event.topic) : undefined;
  } catch {
    return undefined; // the next poll covers it
  }
}
