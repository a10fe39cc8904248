ALTER TABLE `client_events` ADD `address` text;--> statement-breakpoint
ALTER TABLE `client_events` ADD `former` text;