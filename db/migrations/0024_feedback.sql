CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`account` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`version` text NOT NULL,
	`browser` text NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`reply` text NOT NULL,
	`error` text NOT NULL
);
