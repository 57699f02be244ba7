/**
 * `MODEL@BASE_URL`: a model behind an endpoint, in one text. Split at the last `@http`, since model names hold `@` too.
 */

/** A model and its endpoint. */
export interface EndpointSpec {
  readonly model: string;
  readonly baseUrl: string;
}

/** Reads `MODEL@BASE_URL`; undefined for a text of another form. */
export function parseEndpointSpec(text: string): EndpointSpec | undefined {
  const at = Math.max(text.lastIndexOf('@http://'), text.lastIndexOf('@https://'));
  if (at <= 0) return undefined;
  const baseUrl = text.slice(at + 1);
  return URL.canParse(baseUrl) ? { model: text.slice(0, at), baseUrl } : undefined;
}
