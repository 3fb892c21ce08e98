// n8n loads this file first. Slack, HubSpot, Salesforce, Google and Outlook have fixed hosts: requests with the doubles'
// token go to the doubles, below the host's name. Requests with another token are not changed.
import http from 'node:http';
import https from 'node:https';
import { URL } from 'node:url';

const { EXAMPLES_DOUBLES: doubles, EXAMPLES_TOKEN: token } = process.env;
const { request } = https;

https.request = (options, ...rest) => {
	const headers = Object.entries(options.headers ?? {});
	const isForDoubles = headers.some(
		([name, value]) => name.toLowerCase() === 'authorization' && value === `Bearer ${token}`,
	);
	if (!doubles || !isForDoubles) return request(options, ...rest);
	const { hostname, port } = new URL(doubles);
	const path = `/${options.hostname}${options.path}`;
	return http.request(
		{ ...options, protocol: 'http:', host: hostname, hostname, port, path, agent: undefined },
		...rest,
	);
};
