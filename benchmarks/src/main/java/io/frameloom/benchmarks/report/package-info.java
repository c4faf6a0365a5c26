/** What is made of the rows: the table, the JSON file, the plots, and the comparison with the targets. */
@NullMarked
package io.frameloom.benchmarks.report;

import org.jspecify.annotations.NullMarked;
