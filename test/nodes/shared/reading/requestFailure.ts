import { RequestError } from '../../../../nodes/shared/http';

/** The error of a request that failed. */
export function requestFailure(message: string, status?: number): RequestError {
	return new RequestError({ code: 'request_failed', message }, { status });
}
