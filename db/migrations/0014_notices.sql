CREATE TABLE `notices` (
	`organization` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`mailed` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
