//! Values as bytes: what saved grammars are written with.
//!
//! Numbers take as many bytes as they need, seven bits in each; texts and lists are preceded by their lengths. Reading
//! never allocates more than the bytes can hold, and any bytes at all are read or refused.

use crate::error::Error;
use crate::limits::Limits;

/// Bytes being written.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn number(&mut self, number: impl Into<u64>) {
        let mut left = number.into();
        while left >= 0x80 {
            self.bytes.push(left as u8 | 0x80);
            left >>= 7;
        }
        self.bytes.push(left as u8);
    }

    pub(crate) fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(crate) fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.length(items.len());
        for item in items {
            write(self, item);
        }
    }

    pub(crate) fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.number(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(crate) fn limits(&mut self, limits: &Limits) {
        let Limits {
            source_bytes,
            source_nesting,
            rules,
            instructions,
            state_bytes,
            mask_bytes,
            schema_work,
            step_work,
        } = *limits;
        for size in [source_bytes, source_nesting, rules, instructions, state_bytes, mask_bytes] {
            self.length(size);
        }
        self.number(schema_work);
        self.number(step_work);
    }
}

/// Bytes that are left to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) left: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (taken, left) = self.left.split_at_checked(length).ok_or_else(damaged)?;
        self.left = left;
        Ok(taken)
    }

    fn long(&mut self) -> Result<u64, Error> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = u64::from(self.take(1)?[0]);
            let bits = byte & 0x7f;
            if bits << shift >> shift != bits {
                return Err(damaged());
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged())
    }

    /// A number that fits.
    pub(crate) fn number<N: TryFrom<u64>>(&mut self) -> Result<N, Error> {
        N::try_from(self.long()?).map_err(|_| damaged())
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Error> {
        match self.number::<u8>()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(damaged()),
        }
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Error> {
        let length = self.number()?;
        self.take(length)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Error> {
        std::str::from_utf8(self.bytes()?).map_err(|_| damaged())
    }

    /// A list. As every item takes a byte or more, its length is bounded by what is left.
    pub(crate) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let length: usize = self.number()?;
        if length > self.left.len() {
            return Err(damaged());
        }
        (0..length).map(|_| read(self)).collect()
    }

    pub(crate) fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        if self.flag()? { read(self).map(Some) } else { Ok(None) }
    }

    pub(crate) fn limits(&mut self) -> Result<Limits, Error> {
        Ok(Limits {
            source_bytes: self.number()?,
            source_nesting: self.number()?,
            rules: self.number()?,
            instructions: self.number()?,
            state_bytes: self.number()?,
            mask_bytes: self.number()?,
            schema_work: self.number()?,
            step_work: self.number()?,
        })
    }

    /// Fails if anything is left.
    pub(crate) fn end(self) -> Result<(), Error> {
        if self.left.is_empty() { Ok(()) } else { Err(damaged()) }
    }
}

pub(crate) fn refused(why: &str) -> Error {
    Error::Grammar(format!("the bytes are no saved grammar: {why}"))
}

pub(crate) fn damaged() -> Error {
    refused("they are damaged or cut off")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_size_come_back() {
        let numbers = (0..64).flat_map(|shift| [1 << shift, (1 << shift) - 1, u64::MAX >> shift]);
        for number in numbers {
            let mut writer = Writer::default();
            writer.number(number);
            let mut reader = Reader { left: &writer.bytes };
            assert_eq!(reader.number::<u64>(), Ok(number));
            assert!(reader.number::<u32>().is_err(), "nothing is left");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let number = |bytes: &[u8]| Reader { left: bytes }.number::<u64>();
        assert!(number(&[0xff; 9]).is_err() && number(&[0xff; 10]).is_err());
        assert!(number(&[&[0xff; 9][..], &[2]].concat()).is_err());
        assert_eq!(number(&[&[0xff; 9][..], &[1]].concat()), Ok(u64::MAX));
        assert!(Reader { left: &[0x80, 0x02] }.number::<u8>().is_err());
        assert!(Reader { left: &[2] }.flag().is_err());
        assert!(Reader { left: &[1, 0xff] }.text().is_err());
        assert!(Reader { left: &[9, 0] }.list(|left| left.flag()).is_err());
    }

    #[test]
    fn limits_come_back() {
        let limits = Limits { rules: 7, step_work: u64::MAX, ..Limits::default() };
        let mut writer = Writer::default();
        writer.limits(&limits);
        assert_eq!(Reader { left: &writer.bytes }.limits(), Ok(limits));
    }
}
