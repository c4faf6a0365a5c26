/** Graphs in files of the form {@code rdg-case/1}: read, checked, turned into declared graphs. */
@NullMarked
package io.frameloom.rdg.tools.file;

import org.jspecify.annotations.NullMarked;
