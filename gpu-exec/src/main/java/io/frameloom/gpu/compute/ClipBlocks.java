package io.frameloom.gpu.compute;

import java.nio.IntBuffer;

/**
 * The steps of clip boxes on the processor, block by block: what {@link CpuClipBoxes} does, and the shaders for the
 * virtual GPU.
 *
 * @param count number of elements
 * @param block elements of a block
 * @param operations operations
 * @param operationsAt word of the first
 * @param boxes boxes
 * @param boxesAt word of the first
 * @param links for each element the BEGIN around it, for an END its BEGIN, or NONE
 * @param linksAt word of the first
 * @param products for each element its box, cut by those around it in its block
 * @param anchors for each element the nearest BEGIN around it that is before its block, or NONE
 * @param bottoms for each block the anchor of what it leaves open, or NONE
 */
record ClipBlocks(
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

    /** Returns two brackets for a word of 16 elements: both open for a BEGIN, both close for an END, else one of each. */
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
        boolean[] closed = new boolean[end(section) - first];
        for (int e = first; e < end(section); e++) {
            int link = link(e);
            boolean inside = link >= first;
            if (operation(e) == ClipBoxes.END) {
                if (inside) {
                    closed[link - first] = true;
                }
                ClipKeys.put(products, e * ClipKeys.WORDS, ClipKeys.everything());
                anchors.put(e, BracketMatch.NONE);
                continue;
            }
            int[] box = ClipKeys.of(boxes, boxesAt + e * ClipKeys.WORDS);
            if (inside) {
                ClipKeys.cut(box, products, link * ClipKeys.WORDS);
            }
            ClipKeys.put(products, e * ClipKeys.WORDS, box);
            anchors.put(e, inside ? anchors.get(link) : link);
        }
        int bottom = BracketMatch.NONE;
        for (int e = first; e < end(section); e++) {
            if (operation(e) == ClipBoxes.BEGIN && !closed[e - first]) {
                bottom = anchors.get(e);
                break;
            }
        }
        bottoms.put(section, bottom);
    }

    /** Puts a block into the forest: what cuts what it leaves open is its anchor's box and what cuts the anchor's block. */
    void plant(int section, IntBuffer nodes) {
        int bottom = bottoms.get(section);
        int[] box = ClipKeys.everything();
        if (bottom != BracketMatch.NONE) {
            ClipKeys.cut(box, products, bottom * ClipKeys.WORDS);
        }
        ClipKeys.put(nodes, section * NODE_WORDS, box);
        nodes.put(section * NODE_WORDS + ClipKeys.WORDS, bottom == BracketMatch.NONE ? bottom : bottom / block);
    }

    /** Takes a node of the forest as many jumps further to its root. */
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

    /** Writes the result of an element, given the forest whose nodes have come to their roots. */
    void apply(int element, ClipEnd end, int[] viewport, IntBuffer nodes, IntBuffer effective, int effectiveAt) {
        int link = link(element);
        int[] box = viewport.clone();
        int within = element;
        if (operation(element) == ClipBoxes.END) {
            within = end == ClipEnd.BEFORE_POP || link == BracketMatch.NONE ? link : link(link);
            if (end == ClipEnd.OWN_BOX) {
                ClipKeys.cut(box, IntBuffer.wrap(ClipKeys.of(boxes, boxesAt + element * ClipKeys.WORDS)), 0);
            }
        }
        if (within != BracketMatch.NONE) {
            ClipKeys.cut(box, products, within * ClipKeys.WORDS);
            int anchor = anchors.get(within);
            if (anchor != BracketMatch.NONE) {
                ClipKeys.cut(box, products, anchor * ClipKeys.WORDS);
                ClipKeys.cut(box, nodes, anchor / block * NODE_WORDS);
            }
        }
        for (int w = 0; w < ClipKeys.WORDS; w++) {
            effective.put(effectiveAt + element * ClipKeys.WORDS + w, ClipKeys.key(box[w]));
        }
    }
}
