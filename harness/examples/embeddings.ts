import { createHash } from 'node:crypto';

const DIMENSIONS = 256;

/** A request of OpenAI's embeddings API, which n8n's Embeddings OpenAI node sends. */
export interface EmbeddingsRequest {
	model: string;
	input: string | string[];
	encoding_format?: 'float' | 'base64';
}

/** A response of OpenAI's embeddings API: texts with the same words are near each other, whatever their order. */
export function embeddings({ model, input, encoding_format: format }: EmbeddingsRequest) {
	const data = [input].flat().map((text, index) => {
		const vector = wordCounts(text);
		const embedding =
			format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
		return { object: 'embedding', index, embedding };
	});
	return { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

function wordCounts(text: string): number[] {
	const counts = new Array<number>(DIMENSIONS).fill(0);
	for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
		counts[createHash('md5').update(word).digest()[0]]++;
	}
	return counts;
}
