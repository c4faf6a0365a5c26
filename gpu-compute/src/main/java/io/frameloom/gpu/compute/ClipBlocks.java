package io.frameloom.gpu.compute;

import java.nio.IntBuffer;

/**
 * The steps of clip boxes on the processor, block by block, for {@link CpuClipBoxes} and the shaders of the virtual
 * GPU.
 *
 * @param origin number of the first element; links and anchors are numbers, not places
 * @param count number of elements
 * @param block elements of a block
 * @param operationsAt word of the first
 * @param boxesAt word of the first
 * @param links for each element the BEGIN around it, for an END its BEGIN, or NONE
 * @param linksAt word of the first
 * @param products for each element its box, cut by those around it in its block
 * @param anchors for each element the nearest BEGIN around it that is before its block, or NONE
 * @param bottoms for each block the anchor of the elements that it leaves open, or NONE
 */
record ClipBlocks(
        int origin,
        int count,
        int block,
        IntBuffer operations,
        int operationsAt,
        IntBuffer boxes,
        int boxesAt,
        IntBuffer links,
        int linksAt,
        IntBuffer products,
        IntBuffer anchors,
        IntBuffer bottoms) {
    /** Words of a node of the forest of blocks: a box and the next block, in two vectors. */
    static final int NODE_WORDS = 2 * ClipKeys.WORDS;

    /** Marks the number of a BEGIN whose own link, not itself, is the anchor. Numbers of elements are lower. */
    static final int AROUND = 1 << 31;

    /** Returns two brackets for each of 16 elements: both open for a BEGIN, both close for an END, else one of each. */
    static int brackets(IntBuffer operations, int from, int elements) {
        int word = 0;
        for (int e = 0; e < elements; e++) {
            int operation = operations.get(from + e);
            int two = operation == ClipBoxes.BEGIN ? 3 : operation == ClipBoxes.END ? 0 : 1;
            word |= two << (2 * e);
        }
        return word;
    }

    /** Returns the operation that the lower two bits stand for. */
    static int operationOf(int two) {
        return (two & 3) == 3 ? ClipBoxes.BEGIN : (two & 3) == 0 ? ClipBoxes.END : ClipBoxes.DRAW;
    }

    private int operation(int element) {
        return operations.get(operationsAt + element);
    }

    private int link(int element) {
        return links.get(linksAt + element);
    }

    private int end(int section) {
        return (int) Math.min(count, (section + 1L) * block);
    }

    /** Cuts the boxes of a block by each other. */
    void cutInside(int section) {
        int first = section * block;
        int[] open = new int[end(section) - first];
        int depth = 0;
        for (int e = first; e < end(section); e++) {
            if (operation(e) == ClipBoxes.END) {
                depth = Math.max(0, depth - 1);
                ClipKeys.put(products, e * ClipKeys.WORDS, ClipKeys.everything());
                anchors.put(e, BracketMatch.NONE);
                continue;
            }
            int[] box = ClipKeys.of(boxes, boxesAt + e * ClipKeys.WORDS);
            int anchor = link(e);
            if (depth > 0) {
                ClipKeys.cut(box, products, open[depth - 1] * ClipKeys.WORDS);
                anchor = anchors.get(open[depth - 1]);
            }
            ClipKeys.put(products, e * ClipKeys.WORDS, box);
            anchors.put(e, anchor);
            if (operation(e) == ClipBoxes.BEGIN) {
                open[depth++] = e;
            }
        }
        bottoms.put(section, depth == 0 ? BracketMatch.NONE : anchors.get(open[0]));
    }

    /**
     * Puts a block into the forest: its anchor's box and what cuts the anchor's block cut the elements that it leaves
     * open.
     */
    void plant(int section, IntBuffer nodes) {
        int bottom = bottoms.get(section);
        int[] box = ClipKeys.everything();
        if (bottom != BracketMatch.NONE) {
            ClipKeys.cut(box, products, (bottom - origin) * ClipKeys.WORDS);
        }
        ClipKeys.put(nodes, section * NODE_WORDS, box);
        nodes.put(section * NODE_WORDS + ClipKeys.WORDS, bottom == BracketMatch.NONE ? bottom : bottom / block);
    }

    /** Moves a node of the forest as many jumps further to its root. */
    static void jump(int section, int jumps, IntBuffer from, IntBuffer to) {
        int at = section * NODE_WORDS;
        int[] box = new int[ClipKeys.WORDS];
        from.get(at, box);
        int next = from.get(at + ClipKeys.WORDS);
        for (int jump = 0; jump < jumps && next != BracketMatch.NONE; jump++) {
            ClipKeys.cut(box, from, next * NODE_WORDS);
            next = from.get(next * NODE_WORDS + ClipKeys.WORDS);
        }
        ClipKeys.put(to, at, box);
        to.put(at + ClipKeys.WORDS, next);
    }

    /** Writes the result of an element, given the forest whose nodes have come to their roots and the links of all. */
    void apply(int element, ClipEnd end, int[] viewport, IntBuffer nodes, IntBuffer effective, int effectiveAt) {
        int[] box = viewport.clone();
        int anchor = applyInside(element, end, box);
        if (anchor < 0 && anchor != BracketMatch.NONE) {
            anchor = link(anchor & ~AROUND);
        }
        if (anchor != BracketMatch.NONE) {
            applyAnchor(anchor, box, nodes);
        }
        write(box, effective, effectiveAt + element * ClipKeys.WORDS);
    }

    /**
     * Cuts the box of an element by those around it in its block.
     *
     * @return the nearest BEGIN around it before its block, or one before its block and {@link #AROUND}, or NONE
     */
    int applyInside(int element, ClipEnd end, int[] box) {
        int first = origin + element / block * block;
        int within = origin + element;
        if (operation(element) == ClipBoxes.END) {
            if (end == ClipEnd.OWN_BOX) {
                ClipKeys.cut(box, IntBuffer.wrap(ClipKeys.of(boxes, boxesAt + element * ClipKeys.WORDS)), 0);
            }
            within = link(element);
            if (end != ClipEnd.BEFORE_POP && within != BracketMatch.NONE) {
                if (within < first) {
                    return within | AROUND;
                }
                within = link(within - origin);
            }
        }
        if (within < first) {
            return within;
        }
        ClipKeys.cut(box, products, (within - origin) * ClipKeys.WORDS);
        return anchors.get(within - origin);
    }

    /** Cuts a box by an anchor and all that is around that. */
    void applyAnchor(int anchor, int[] box, IntBuffer nodes) {
        ClipKeys.cut(box, products, (anchor - origin) * ClipKeys.WORDS);
        ClipKeys.cut(box, nodes, anchor / block * NODE_WORDS);
    }

    /** Writes the box that keys stand for. */
    static void write(int[] box, IntBuffer effective, int at) {
        for (int w = 0; w < ClipKeys.WORDS; w++) {
            effective.put(at + w, ClipKeys.key(box[w]));
        }
    }
}
