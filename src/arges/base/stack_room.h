#pragma once
// How much of its stack a thread has left.
//
// What follows the text of a model calls itself as deep as the text is nested, and chains of values
// can be as long as the text. Counting calls would not bound the stack, since their frames differ
// in size, between builds, too. So those who go deeper look at the stack itself and say where it
// ends.

namespace arges {

// True when less than a quarter of the stack of this thread is left: enough for what does not ask,
// and to tell what was wrong.
bool stack_is_short();

}  // namespace arges
