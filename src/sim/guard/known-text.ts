/**
 * What the agent knows already or the engine computed, as one text to look things up in; its forms are made when needed.
 */
import { plainForm, type SearchedText, searchedText } from './plain-forms.js';

/** Known texts, joined. */
export class KnownText {
  private plainText: string | undefined;
  private forms: SearchedText | undefined;

  constructor(private readonly texts: readonly string[]) {}

  /** Lower case, single spaces. */
  get plain(): string {
    this.plainText ??= plainForm(this.texts.join('\n'));
    return this.plainText;
  }

  /** All forms in which words may stand in it. */
  get searched(): SearchedText {
    this.forms ??= searchedText(this.texts.join('\n'));
    return this.forms;
  }
}
